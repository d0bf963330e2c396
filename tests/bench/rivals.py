"""What else validates a payload: how each is asked, and how it says no."""

from collections.abc import Callable
from operator import not_
from typing import Any, Final, NamedTuple

import cattrs
import fastjsonschema
import jsonschema
import jsonschema_rs
import msgspec
import pydantic
import trycast
import typeguard
from dsh_tools import validate_args
from dsh_tools.schema.validation.validator import Validator

from .measure import Timed, statement
from .payloads import Shape

OURS: Final = "dsh_tools"
_WARM_CALLS: Final = 100


class Rival(NamedTuple):
    """One way to validate the payloads of a shape.

    ask: the expression that is timed, over `args` and `names`.
    names: what else the expression mentions.
    error: the exception that says no; None when the value of the expression does.
    explain: what makes the faults of `error` readable, as a program would need them.
    fits: whether a value of the expression says yes.
    valid_note, invalid_note: what it does not do, or does beside.
    """

    ask: str
    names: dict[str, Any]
    error: type[Exception] | None = None
    explain: str = "error"
    fits: Callable[[Any], bool] = lambda value: True
    valid_note: str = ""
    invalid_note: str = ""

    def accepts(self, args: object) -> bool:
        try:
            return self.fits(eval(self.ask, {**self.names, "args": args}))
        except Exception as error:
            if self.error is None or not isinstance(error, self.error):
                raise
            return False

    def on_valid(self, args: object) -> Timed:
        return statement(self.ask, **self.names, args=args)

    def on_invalid(self, args: object) -> Timed:
        if self.error is None:
            return self.on_valid(args)
        source = f"try: {self.ask}\nexcept Error as error: {self.explain}"
        return statement(source, **self.names, args=args, Error=self.error)


def rivals(shape: Shape) -> dict[str, Rival]:
    """Everybody, ready to validate payloads of that shape. Each is asked the shortest way it
    offers for a schema that is prepared beforehand."""
    return {
        OURS: _ours(shape),
        f"{OURS} validate_args": Rival(
            "validate_args(spec, args)",
            {"validate_args": validate_args, "spec": shape.spec},
            fits=not_,
            valid_note="finds the spec by its content first",
        ),
        **_pydantic(shape),
        "msgspec convert": Rival(
            "convert(args, type)",
            {"convert": msgspec.convert, "type": shape.type},
            error=msgspec.ValidationError,
            valid_note="builds a copy",
            invalid_note="first fault only",
        ),
        **_json_schema(shape),
        "cattrs structure": Rival(
            "structure(args, type)",
            {
                "structure": cattrs.Converter().get_structure_hook(shape.type),
                "type": shape.type,
                "transform_error": cattrs.transform_error,
            },
            error=cattrs.BaseValidationError,
            explain="transform_error(error)",
            valid_note="builds a copy; converts, so it accepts more",
        ),
        **_type_checkers(shape),
    }


def _ours(shape: Shape) -> Rival:
    """What a tool call asks, after enough calls to have its check generated."""
    validator = Validator(shape.json_schema, formats=True)
    for _ in range(_WARM_CALLS):
        validator.violations(shape.valid)
    return Rival(
        "validator.check(args) or validator.violations(args)",
        {"validator": validator},
        fits=lambda answer: answer in (True, []),
    )


def _pydantic(shape: Shape) -> dict[str, Rival]:
    adapter = pydantic.TypeAdapter(shape.type)
    names = {"adapter": adapter, "core": adapter.validator}

    def rival(ask: str, note: str) -> Rival:
        return Rival(ask, names, pydantic.ValidationError, "error.errors()", valid_note=note)

    copies = "builds a copy"
    return {
        "pydantic TypeAdapter, lax": rival(
            "adapter.validate_python(args)", f"{copies}; converts, so it accepts more"
        ),
        "pydantic TypeAdapter, strict": rival(
            "adapter.validate_python(args, strict=True)", copies
        ),
        "pydantic-core, strict": rival("core.validate_python(args, strict=True)", copies),
    }


def _json_schema(shape: Shape) -> dict[str, Rival]:
    draft_7 = {**shape.json_schema, "$schema": "http://json-schema.org/draft-07/schema#"}
    rust = {"validator": jsonschema_rs.validator_for(shape.json_schema)}
    python = {"validator": jsonschema.Draft202012Validator(shape.json_schema)}
    return {
        "jsonschema-rs is_valid": Rival(
            "validator.is_valid(args)",
            rust,
            fits=bool,
            valid_note="a verdict without reasons",
            invalid_note="a verdict without reasons",
        ),
        "jsonschema-rs iter_errors": Rival("list(validator.iter_errors(args))", rust, fits=not_),
        "fastjsonschema": Rival(
            "validate(args)",
            {"validate": fastjsonschema.compile(draft_7)},
            error=fastjsonschema.JsonSchemaException,
            invalid_note="first fault only",
        ),
        "jsonschema iter_errors": Rival("list(validator.iter_errors(args))", python, fits=not_),
    }


def _type_checkers(shape: Shape) -> dict[str, Rival]:
    return {
        "typeguard check_type": Rival(
            "check_type(args, type, collection_check_strategy=all_items)",
            {
                "check_type": typeguard.check_type,
                "type": shape.type,
                "all_items": typeguard.CollectionCheckStrategy.ALL_ITEMS,
            },
            error=typeguard.TypeCheckError,
            invalid_note="first fault only",
        ),
        "trycast isassignable": Rival(
            "isassignable(args, type)",
            {"isassignable": trycast.isassignable, "type": shape.type},
            fits=bool,
            invalid_note="a verdict without reasons",
        ),
    }
