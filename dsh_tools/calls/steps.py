"""One model step: several calls, their results and the contexts behind them."""

from collections.abc import Iterable

from ..vocabulary import StepResult, ToolExecution
from .pipeline import require_complete
from .registry import ToolRegistry


def execute_step(registry: ToolRegistry, executions: Iterable[ToolExecution]) -> StepResult:
    """Run the calls of one model step, one after the other. The contexts that listeners attached
    are gathered behind the results: providers want all results of a step together.

    Raises HarnessError with code "INVALID_EXECUTION" before any of them runs when an execution
    is incomplete.
    """
    executions = list(executions)
    for execution in executions:
        require_complete(execution)
    results = [registry.execute(execution) for execution in executions]
    contexts = [
        result["additional_context"] for result in results if "additional_context" in result
    ]
    return {"results": results, "contexts": contexts}
