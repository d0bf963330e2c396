"""One model step: several calls, their results and the contexts behind them."""

from collections import deque
from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..errors import log_fault
from ..json_values import copy_json, what_is
from ..vocabulary import StepResult, ToolExecution, ToolExecutionResult
from .outcome import close_awaitable
from .pipeline import Passage, require_complete
from .registry import RegistryView

if TYPE_CHECKING:
    from threading import Thread


def execute_step(
    registry: RegistryView, executions: Iterable[ToolExecution], *, workers: int = 1
) -> StepResult:
    """Run the calls of one model step. The contexts that listeners attached are gathered behind
    the results: providers want all results of a step together.

    With more `workers` than one, neighbours whose tools say `parallel` have their bodies run in as
    many threads at a time; any other call runs alone, after all before it and before all behind
    it. The gate (a person who is asked, too), the post-execute listeners and the results keep the
    order of the calls, in the thread of the caller. No thread is left when this returns or raises.

    Raises HarnessError with code "INVALID_EXECUTION" before any of them runs when an execution
    is incomplete, and ValueError for less than one worker.
    """
    if type(workers) is not int or workers < 1:
        shown = workers if type(workers) is int else what_is(workers)
        raise ValueError(f"workers must be a whole number from 1 on, not {shown}")
    executions = list(executions)
    for execution in executions:
        require_complete(execution)
    results = _results(registry, executions, workers)
    contexts = [
        result["additional_context"] for result in results if "additional_context" in result
    ]
    return {"results": results, "contexts": contexts}


def _results(
    registry: RegistryView, executions: list[ToolExecution], workers: int
) -> list[ToolExecutionResult]:
    if workers == 1 or len(executions) < 2:
        return [registry.execute(execution) for execution in executions]
    results: list[ToolExecutionResult] = []
    # Lazily, so that a tool which an earlier call registers is looked at after that call has run.
    for overlap, neighbours in groupby(executions, lambda call: _may_overlap(registry, call)):
        if overlap:
            results += _together(registry, list(neighbours), workers)
        else:
            results += map(registry.execute, neighbours)
    return results


def _may_overlap(registry: RegistryView, execution: ToolExecution) -> bool:
    """Whether the tool says that this call may run beside others."""
    tool = registry._running(execution["name"])
    parallel = False if tool is None else tool.get("parallel", False)
    if tool is None or not callable(parallel):
        return parallel is True
    try:
        answer: object = parallel(copy_json(execution["arguments"]))
        close_awaitable(answer)
        return answer is True
    except Exception as error:
        log_fault(execution["name"], '"parallel" failed, so the call runs alone', error)
        return False


def _together(
    registry: RegistryView, executions: list[ToolExecution], workers: int
) -> list[ToolExecutionResult]:
    """The results of calls whose bodies may overlap."""
    passages = [registry._enter(execution) for execution in executions]
    if len(passages) > 1:
        _run_all(passages, workers)
    else:
        passages[0].run()
    return [passage.leave() for passage in passages]


def _run_all(passages: list[Passage], workers: int) -> None:
    """Run all bodies, in this thread and in others that end here. What is no Exception (Ctrl-C)
    starts no more bodies, and comes out when those that run have ended."""
    from contextvars import copy_context  # most steps need neither
    from threading import Thread

    waiting = deque((copy_context(), passage) for passage in passages)
    escaped: list[BaseException] = []

    def work() -> None:
        try:
            while True:
                try:
                    context, passage = waiting.popleft()
                except IndexError:  # all have been started
                    return
                context.run(passage.run)
        except BaseException as error:
            waiting.clear()
            escaped.append(error)

    threads = [Thread(target=work) for _ in range(min(workers, len(passages)) - 1)]
    started = _started(threads)
    work()
    for thread in started:
        _join(thread, waiting, escaped)
    if escaped:
        raise escaped[0]


def _started(threads: "list[Thread]") -> "list[Thread]":
    """Those of the threads that the system lets us have; the caller's is there in any case."""
    for index, thread in enumerate(threads):
        try:
            thread.start()
        except RuntimeError:
            return threads[:index]
    return threads


def _join(thread: "Thread", waiting: deque[Any], escaped: list[BaseException]) -> None:
    """Wait for a thread to end, an impatient Ctrl-C or not: its body is at work."""
    while thread.is_alive():
        try:
            thread.join()
        except BaseException as error:
            waiting.clear()
            escaped.append(error)
