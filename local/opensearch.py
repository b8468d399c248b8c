"""A real OpenSearch node on this machine, without Docker.

    python -m local.opensearch build [HOME]           once; needs Java 17 to 23 and Maven
    python -m local.opensearch start [HOME] [PORT]    runs until Ctrl-C; its data stay in HOME/data

```
HOME/2.19.1                  what opensearch_build made
DATA/config logs tmp nodes   what one node writes
```
The node listens on 127.0.0.1 only, without any key, and dies with the process that started it.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from local.opensearch_build import CannotRun, build, default_home, is_built

PORT = 4610
START_SECONDS = 180.0  # usually 10
JAVA_FROM, JAVA_BELOW = 17, 24  # from 24 on Java has no security manager, which 2.x needs

CONFIG = """cluster.name: muniment-local
discovery.type: single-node
network.host: 127.0.0.1
http.port: {port}
transport.port: 0
path.data: {data}/nodes
path.logs: {data}/logs
"""
LOGGING = """appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%c{1.}] %m%n
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
"""
# Standard input is a pipe that the parent holds open: its end, at whatever death, ends the node.
# It is killed, not asked: without a distribution's policies its own end takes 30 s, and what it
# acknowledged is in the translog.
WITH_PARENT = """exec 3<&0
"$@" </dev/null 3<&- & node=$!
(cat <&3 >/dev/null; kill -9 $node) & watch=$!
trap 'kill -9 $node' TERM INT
wait $node
wait $node
kill -9 $watch
"""


def available(home: Path | None = None) -> str | None:
    """Return why no node can run here, None if one can."""
    java = _java_version()
    if java is None:
        return f"no Java: install Java {JAVA_FROM} or set JAVA_HOME"
    if not JAVA_FROM <= java < JAVA_BELOW:
        return f"Java {java} found, {JAVA_FROM} to {JAVA_BELOW - 1} needed: set JAVA_HOME"
    if not is_built(home or default_home()) and not shutil.which("mvn"):
        return "no Maven (mvn) to build the node with"
    return None


def start(node: Path, port: int = PORT, data: Path | None = None) -> subprocess.Popen[bytes]:
    """Start the node that build() returned and wait until it answers. Raises CannotRun.

    `data` is kept between starts (by default beside the node). As root the node runs as
    `nobody`, because it refuses root, and owns `data`.
    """
    data = (data or node.parent / "data").resolve()
    _refuse_taken(port)
    _configure(data, port)
    account = _account(node, data)
    with (data / "logs" / "node.log").open("ab") as log:
        process = subprocess.Popen(
            ["/bin/sh", "-c", WITH_PARENT, "opensearch", *_command(node, data)],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            cwd=data,
            start_new_session=True,  # Ctrl-C is for the parent, which stops the node in order
            env={**os.environ, "OPENSEARCH_PATH_CONF": str(data / "config")},
            **account,
        )
    _await(process, port, data / "logs" / "node.log")
    return process


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a node that start() returned."""
    process.terminate()
    process.wait()
    if process.stdin:
        process.stdin.close()


def _java() -> str:
    home = os.environ.get("JAVA_HOME")
    return str(Path(home) / "bin" / "java") if home else "java"


def _java_version() -> int | None:
    try:
        said = subprocess.run([_java(), "-version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', said.stderr + said.stdout)
    return int(found[1]) if found else None


def _configure(data: Path, port: int) -> None:
    for name in ("config", "logs", "tmp", "nodes"):
        (data / name).mkdir(parents=True, exist_ok=True)
    (data / "config" / "opensearch.yml").write_text(CONFIG.format(port=port, data=data))
    (data / "config" / "log4j2.properties").write_text(LOGGING)


def _command(node: Path, data: Path) -> list[str]:
    return [
        _java(),
        "-Xms512m",
        "-Xmx512m",
        "-XX:+UseSerialGC",  # a laptop's node is small: less memory, a faster start
        "-Djava.security.manager=allow",
        f"-Djava.io.tmpdir={data / 'tmp'}",
        f"-Dopensearch.path.home={node}",
        f"-Dopensearch.path.conf={data / 'config'}",
        "-Dopensearch.distribution.type=zip",
        "-Dopensearch.bundled_jdk=false",
        "-Dlog4j2.disable.jmx=true",
        "--add-opens=java.base/java.io=ALL-UNNAMED",
        "-cp",
        f"{node}/lib/*",
        "org.opensearch.bootstrap.OpenSearch",
    ]


def _account(node: Path, data: Path) -> dict[str, int | list[int]]:
    """Return under whom the node runs; as root, give it the data. Raises CannotRun."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    for path in (data, *data.rglob("*")):
        os.chown(path, nobody.pw_uid, nobody.pw_gid, follow_symlinks=False)
    account: dict[str, int | list[int]] = {
        "user": nobody.pw_uid,
        "group": nobody.pw_gid,
        "extra_groups": [],
    }
    for path in (node / "lib", data / "tmp"):
        if subprocess.run(["test", "-x", path], cwd="/", **account).returncode:
            raise CannotRun(f"the user nobody, as whom the node runs for root, cannot enter {path}")
    return account


def _refuse_taken(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise CannotRun(f"port {port} of 127.0.0.1 is taken: choose another") from error


def _await(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}", timeout=1).close()
            return
        except OSError:
            time.sleep(0.2)
    ended = process.poll()
    stop(process)
    what = f"did not answer within {START_SECONDS:.0f} s" if ended is None else f"ended ({ended})"
    raise CannotRun(f"the node {what}:\n{log.read_text(errors='replace')[-2000:]}")


def main(arguments: list[str]) -> None:
    verb, home, port = (*arguments, *(None, None, None)[len(arguments) :])
    if verb not in ("build", "start") or len(arguments) > 3:
        raise SystemExit("usage: python -m local.opensearch build|start [HOME] [PORT]")
    try:
        reason = available(Path(home) if home else None)
        if reason:
            raise CannotRun(reason)
        node = build(Path(home) if home else None)
        print(node, flush=True)
        if verb == "start":
            _run(node, int(port or PORT))
    except CannotRun as error:
        raise SystemExit(str(error)) from error


def _run(node: Path, port: int) -> None:
    process = start(node, port)
    print(f"http://127.0.0.1:{port} (Ctrl-C stops it)", flush=True)
    try:
        process.wait()
    except KeyboardInterrupt:
        stop(process)


if __name__ == "__main__":
    main(sys.argv[1:])
