"""Specs: `schema()` and `prop()` check what an author wrote, `InferArgs` names its type."""

from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, cast

from ..errors import SchemaError
from ..vocabulary import SchemaProp, SchemaSpec
from .faults import Fault, fault_text, is_long_form, prop_faults, spec_faults

MYPY_PLUGIN_MARKER: Final = 2
"""By this constant the mypy plugin knows the package, under whatever name it was copied. The
number changes when an older plugin could no longer read the declarations below."""

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import TypeVar

    # Any: without the plugin a dict says nothing about its type.
    A = TypeVar("A", default=Any)
    R = TypeVar("R", default=Any)
    A_co = TypeVar("A_co", covariant=True)
    Value = TypeVar("Value")
    Required = TypeVar("Required")
    _Properties: TypeAlias = dict[str, SchemaProp]

    class Spec(Mapping[str, SchemaProp], Generic[A_co]):
        """A checked spec, of which a type checker knows the type of the arguments, `A_co`.

        There is no such class at run time: the value is the author's own dict.
        """

        @property
        def __dsh_args__(self) -> A_co: ...

        def __or__(self, other: Mapping[str, Mapping[str, object]], /) -> _Properties: ...

        def __ror__(self, other: Mapping[str, Mapping[str, object]], /) -> _Properties: ...

    class LongSpec(Spec[A_co]):
        """A checked spec in the long form, which only the mypy plugin tells from the others."""

    class Prop(SchemaProp, Generic[Value, Required], total=False):
        """A checked property, as the mypy plugin types it: a `SchemaProp`, of which it knows the
        type of the values, and `Literal[True]` for a required one."""

else:
    from typing import TypeVar

    A = TypeVar("A")
    R = TypeVar("R")
    Spec = dict


class InferArgs:
    """`InferArgs[PARAMS]`: the type of the arguments that fit `PARAMS = schema({...})`.

    The mypy plugin replaces it by a TypedDict. At run time it is `dict[str, object]`.
    """

    def __class_getitem__(cls, spec: object) -> Any:
        return dict[str, object]


def schema(spec: Spec[A] | type[A] | SchemaSpec) -> Spec[A]:
    """Check a spec and return it: the same plain dict, unchanged, or a new one for a TypedDict
    class.

    Raises SchemaError with every fault and its path when it is not well formed.
    """
    return cast(Spec[A], require_spec(spec))


def prop(spec: SchemaProp) -> SchemaProp:
    """Check one property and return it, unchanged: for a constant that several specs share.

    Raises SchemaError with every fault and its path when it is not well formed.
    """
    faults = prop_faults(spec)
    if faults:
        raise SchemaError([fault_text(fault, in_prop=True) for fault in faults])
    return spec


def require_spec(
    spec: object, tool_name: str | None = None, faults: list[str] | None = None
) -> SchemaSpec:
    """The spec as a plain dict: itself, or what a TypedDict class stands for.

    Raises SchemaError, for the tool of that name, when it is not well formed or when there are
    other `faults` already.
    """
    found: list[Fault] = []
    if not isinstance(spec, dict):
        from .hints import is_typed_dict  # most specs are dicts
        from .typed_dicts import read_typed_dict

        if is_typed_dict(spec):
            spec, found = read_typed_dict(spec)
    found += spec_faults(spec)
    is_long = is_long_form(spec)
    violations = [*(faults or ()), *(fault_text(fault, in_prop=is_long) for fault in found)]
    if violations:
        raise SchemaError(violations, tool_name if isinstance(tool_name, str) else None)
    return cast(SchemaSpec, spec)
