"""Changes that no test can notice since nobody could, each with the reason."""

EQUIVALENT: dict[str, dict[str, str]] = {"validation": {}, "waterfall": {}, "registry": {}}
