"""Changes that no test can notice since no user could, each with the reason."""

_ASKED_BEFORE = "`decide` asks only those that serve once, which have a turn"
_ONLY_SPEED = "what is kept for the next call is made anew: slower, and the same"

EQUIVALENT: dict[str, dict[str, str]] = {
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
