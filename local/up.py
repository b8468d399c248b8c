"""`make up`: start the whole cloud on this machine, say how to use it, stop it at Ctrl-C.

```
python -m local.up [--port 4600] [--data .muniment] [--workers 2]
python -m local.up --down | --reset
```
"""

import argparse
import os
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn

from local.cloud import CannotStart, LocalCloud, Options
from local.demo import Demo, DemoFailed
from local.folder import DataFolder, Unusable
from local.stack import DeployFailed
from local.workers import ROOT


def main() -> int:
    """Run the command; return its exit status."""
    arguments = _arguments()
    data = DataFolder(arguments.data)
    try:
        if arguments.down:
            return _down(data)
        if arguments.reset:
            return _reset(data)
        return _up(arguments, data)
    except (CannotStart, DemoFailed, DeployFailed, Unusable) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _arguments() -> argparse.Namespace:
    environ = os.environ
    parser = argparse.ArgumentParser(prog="make up", description="The local cloud of Muniment")
    parser.add_argument("--port", type=_port, default=_port(environ.get("PORT") or "4600"))
    data = Path(environ.get("DATA") or ROOT / ".muniment")
    parser.add_argument("--data", type=Path, default=data, help="where everything is kept")
    parser.add_argument("--workers", type=int, default=2, help="processes that run functions")
    parser.add_argument("--app", type=Path, default=ROOT, help="folder of template.yaml")
    parser.add_argument("--no-demo", action="store_true", help="no demo tenant, no example notes")
    parser.add_argument("--down", action="store_true", help="stop what runs on the data folder")
    parser.add_argument("--reset", action="store_true", help="stop it and delete the data folder")
    return parser.parse_args()


def _port(text: str) -> int:
    if not text.isdecimal() or not 1024 <= int(text) <= 65533:
        raise argparse.ArgumentTypeError(f"{text} is no port from 1024 to 65533")
    return int(text)


def _down(data: DataFolder) -> int:
    pid = data.stop()
    print(f"stopped process {pid}" if pid else f"nothing runs on {data.path}")
    return 0


def _reset(data: DataFolder) -> int:
    _down(data)
    print(f"deleting {data.path}")
    data.delete()
    return 0


def _up(arguments: argparse.Namespace, data: DataFolder) -> int:
    began = time.monotonic()

    def say(text: str) -> None:
        print(f"[{time.monotonic() - began:5.1f} s] {text}", flush=True)

    emulator_venv = Path(os.environ.get("EMULATOR_VENV") or ROOT / ".venv-emulator")
    options = Options(
        app=arguments.app.resolve(),
        port=arguments.port,
        workers=max(1, arguments.workers),
        emulator_python=emulator_venv / "bin" / "python",
        opensearch=os.environ.get("SEARCH") == "opensearch",
        rate_limits=os.environ.get("RATE_LIMITS") != "off",
    )
    data.open()
    data.claim()
    cloud = LocalCloud(options, data, say)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        cloud.start()
        if not arguments.no_demo:
            Demo(cloud, data, say).welcome()
        say(f"ready: {cloud.url} (Ctrl-C stops it, logs in {data.path})")
        cloud.wait()
        raise CannotStart(f"the emulator ended by itself; see {data / 'emulator.log'}")
    except KeyboardInterrupt:
        print("\nstopping; everything stays in", data.path, flush=True)
        return 0
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C must not leave orphans
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        cloud.stop()


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
