"""One run of the command line: every fault becomes a message and an exit code."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from slotwise.cli.signatures.main import app
from slotwise.terminal.exits import ExitCode, exit_code_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def invoke(arguments: list[str]) -> int:
    """Run one command line and give its exit code; every fault becomes one message on stderr."""
    from slotwise.terminal import screen

    screen.open_streams()
    command = typer.main.get_command(app)
    try:
        with _ended_as_interrupted():
            code = command.main(args=arguments, prog_name="slotwise", standalone_mode=False)
            _flush()
    except (KeyboardInterrupt, typer.Abort):
        code = ExitCode.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has gone.
        screen.discard_output()
        return ExitCode.REPLAY_FAILED
    except ModuleNotFoundError:
        raise
    except Exception as fault:
        return _explained(fault)
    if code == ExitCode.INTERRUPTED:
        screen.fault("interrupted")
    return int(code or 0)


def _flush() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, "standard output") from None


@contextmanager
def _ended_as_interrupted() -> Iterator[None]:
    """Let other requests to end clean up as control-C does; only a main thread can say so."""
    changed = {}
    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")):
            # One that is ignored, as under nohup, stays so.
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                changed[number] = signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, before in changed.items():
            signal.signal(number, before)


def _explained(fault: Exception) -> int:
    from slotwise.terminal import screen

    code = exit_code_of(fault)
    if code is not None:
        screen.fault(str(fault))
        return code
    if hasattr(fault, "format_message"):
        screen.fault(_usage_message(fault))
        return ExitCode.USAGE
    if os.environ.get("SLOTWISE_DEBUG"):
        raise fault
    if isinstance(fault, MemoryError):
        screen.fault("not enough memory; give a shorter trace or a larger computer")
    elif isinstance(fault, OSError):
        if fault.filename in (None, "standard output"):
            screen.discard_output()
        screen.fault(f"{fault.filename or 'standard output'}: {fault.strerror or fault}")
    else:
        screen.fault(
            f"{type(fault).__name__}: {fault}; this is a fault of slotwise itself, "
            "SLOTWISE_DEBUG=1 shows where"
        )
    return ExitCode.REPLAY_FAILED


def _usage_message(fault: Any) -> str:
    """Write a fault typer found in the arguments, and where the help is."""
    context = getattr(fault, "ctx", None)
    where = context.command_path if context is not None else "slotwise"
    message = str(fault.format_message()).rstrip()
    commands = getattr(getattr(context, "command", None), "commands", None)
    if type(fault).__name__ == "NoArgsIsHelpError":
        message = "Nothing to do."
    if commands and (message.startswith("No such command") or message == "Nothing to do."):
        message = f"{message} Known are: {', '.join(commands)}"
    stop = "" if message.endswith((".", "?")) else "."
    return f"{message}{stop} See: {where} --help"
