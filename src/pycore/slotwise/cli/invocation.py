"""One run of the command line; every exception becomes a message and an exit code."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

import slotwise_entry
from slotwise.cli.light_help import asks_for_help, load_formatter
from slotwise.cli.plain_values import convert_plainly
from slotwise.cli.signatures.main import app
from slotwise.cli.streams import opened_streams
from slotwise.errors import SiteWarning, TraceWarning
from slotwise.terminal import screen
from slotwise.terminal.exits import ExitCode, exit_code_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType


def invoke(arguments: list[str]) -> int:
    """Run one command line and return its exit code; exceptions become messages on stderr."""
    with opened_streams(), warnings.catch_warnings():
        for category in (SiteWarning, TraceWarning):
            warnings.simplefilter("default", category)
        warnings.showwarning = _warned(warnings.showwarning)
        return _invoke(arguments)


def _warned(others: Callable[..., None]) -> Callable[..., None]:
    """Return a function that prints site and trace warnings; `others` gets all other warnings."""

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, SiteWarning | TraceWarning):
            screen.warn(str(message))
        else:
            others(message, category, *place, **more)

    return show


def _invoke(arguments: list[str]) -> int:
    if asks_for_help(arguments):
        load_formatter()
    command = typer.main.get_command(app)
    convert_plainly(command)
    ended = _Ending()
    try:
        with _ended_as_interrupted(ended):
            code = command.main(args=arguments, prog_name="slotwise", standalone_mode=False)
            sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        code = ExitCode.INTERRUPTED
    except ModuleNotFoundError:
        raise
    except Exception as fault:
        if not _interrupted_import(fault):
            return _explained(fault)
        code = ExitCode.INTERRUPTED
    if code == ExitCode.INTERRUPTED:  # typer itself returns this code for some interruptions
        screen.fault("interrupted")
        return ExitCode(128 + ended.number)
    return int(code or 0)


def _interrupted_import(fault: Exception) -> bool:
    """Return whether a signal arrived while a compiled module was being imported.

    The loader then raises "ImportError: initialization failed", caused by the KeyboardInterrupt.
    """
    cause: BaseException | None = fault
    while isinstance(cause, ImportError):
        cause = cause.__cause__
    return isinstance(cause, KeyboardInterrupt)


class _Ending:
    """The signal that ended a command."""

    number: int = signal.SIGINT


@contextmanager
def _ended_as_interrupted(ended: _Ending) -> Iterator[None]:
    """Turn every termination signal into a KeyboardInterrupt, if this is the main thread."""

    def interrupt(number: int, _frame: FrameType | None) -> None:
        ended.number = number
        raise KeyboardInterrupt

    changed = {}
    if threading.current_thread() is threading.main_thread():
        unheeded = (signal.SIG_DFL, signal.default_int_handler, slotwise_entry.end_at_once)
        for number in slotwise_entry.REQUESTS:
            # Signals that are ignored, for example under nohup, are not handled here.
            if signal.getsignal(number) in unheeded:
                changed[number] = signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, before in changed.items():
            signal.signal(number, before)


def _explained(fault: Exception) -> int:
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
        screen.fault("not enough memory; use a shorter trace, or a computer with more memory")
    elif isinstance(fault, OSError):
        where = "" if fault.filename is None else f"{fault.filename}: "
        screen.fault(f"{where}{fault.strerror or fault}")
    else:
        screen.fault(
            f"{type(fault).__name__}: {fault}; this is a bug in slotwise; set SLOTWISE_DEBUG=1 "
            "to see where"
        )
    return ExitCode.REPLAY_FAILED


def _has_option(command: Any, name: str) -> bool:
    return any(parameter.name == name for parameter in getattr(command, "params", ()))


def _usage_message(fault: Any) -> str:
    """Describe an error that typer found in the arguments, and name the command for help."""
    context = getattr(fault, "ctx", None)
    where = context.command_path if context is not None else "slotwise"
    message = str(fault.format_message()).rstrip()
    group: Any = getattr(context, "command", None)
    commands = group.list_commands(context) if hasattr(group, "list_commands") else []
    if type(fault).__name__ == "NoArgsIsHelpError":
        message = "No command given."
    if commands and message == "No command given.":
        message = f"{message} Commands: {', '.join(commands)}"
    elif commands and (unknown := re.match(r"No such command (['\"])(.*?)\1", message)):
        from slotwise.site.names import unknown_name  # slow to import

        message = unknown_name("command", unknown[2], commands)
    elif message.startswith("No such option: --with "):
        message = "No such option: --with (only compare has it); write --set KEY=VALUE instead"
    elif message.startswith("Got unexpected extra argument") and _has_option(group, "site"):
        message += ": the only argument is the log; pass a site file with --site"
    stop = "" if message.endswith((".", "?")) else "."
    return f"{message}{stop} See: {where} --help"
