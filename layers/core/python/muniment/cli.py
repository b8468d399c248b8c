"""The operator's command: `muniment tenant|project|key|member|import-notes|verify …`.

Commands on tenants, projects and keys speak to DynamoDB with the operator's own AWS rights
(MEMORY_TABLE names the table; AWS_ENDPOINT_URL chooses another endpoint). Commands on facts speak
to the HTTP API with an API key, like everybody else.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from muniment import cli_keys, cli_notes, cli_tenants, cli_verify
from muniment.domain.errors import Refused


def main(arguments: Sequence[str] | None = None) -> int:
    """Return the exit code: 0 done, 1 refused, 2 not understood."""
    parser = argparse.ArgumentParser(prog="muniment", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    cli_tenants.add_parser(commands)
    cli_keys.add_parser(commands)
    cli_notes.add_parser(commands)
    cli_verify.add_parser(commands)
    asked = parser.parse_args(arguments)
    try:
        code: int = asked.run(asked)
    except Refused as refusal:
        print(f"muniment: {refusal.detail}", file=sys.stderr)
        return 1
    return code


if __name__ == "__main__":
    raise SystemExit(main())
