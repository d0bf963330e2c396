"""The wires: each module speaks one protocol, as pure functions over dicts. None imports an SDK."""
