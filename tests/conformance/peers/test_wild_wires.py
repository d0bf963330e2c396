"""What goes out for schemas of real tools, judged by official validators and types."""

import json
from typing import Any

import pytest
from dsh_tools import HarnessError
from dsh_tools.adapters import gemini
from google.genai import types as genai
from jsonschema import Draft202012Validator

from ..test_wild_wires import LINES, SENDERS

HOLDERS = ("parameters", "input_schema", "inputSchema", "parameters_json_schema")
TOOLS: list[Any] = [json.loads(line) for line in LINES]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("provider", ["chat", "anthropic", "mcp"])
def test_every_schema_is_one_and_takes_the_valid_calls(provider: str, strict: bool) -> None:
    for tool in TOOLS:
        given = {"name": "t", "description": "d", "parameters": tool["parameters"]}
        refused = list[HarnessError]()
        given |= {"strict": True} if strict else {}
        for sent in SENDERS[provider]([given], on_refused=refused.append):
            sent = sent.get("function", sent)
            parameters = next(sent[holder] for holder in HOLDERS if holder in sent)
            Draft202012Validator.check_schema(parameters)
            for arguments in tool["valid"] if not strict else []:
                Draft202012Validator(parameters).validate(arguments)


def test_gemini_takes_them_in_its_own_words_or_as_json_schema() -> None:
    for tool in TOOLS:
        given: Any = {"name": "t", "description": "d", "parameters": tool["parameters"]}
        (declared,) = gemini.function_declarations([given])
        genai.FunctionDeclaration.model_validate(declared)
        if "parameters_json_schema" in declared:
            genai.JSONSchema.model_validate(declared["parameters_json_schema"])
            for arguments in tool["valid"]:
                Draft202012Validator(declared["parameters_json_schema"]).validate(arguments)
