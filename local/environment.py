"""The environment variables of each part: what the functions, the emulator and the CLI get.

The caller's own AWS settings reach none of them: everything is bound to the emulator.
"""

import os
from collections.abc import Mapping
from typing import Any

from local.folder import DataFolder
from local.gateway import REGION
from local.template import Template

TABLE = "Memory"


def aws_environment(endpoint: str) -> dict[str, str]:
    """Return the variables that bind every AWS SDK to the emulator, and to nothing else."""
    return {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }


def without_aws(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the caller's variables less his AWS ones; local traffic past any proxy."""
    kept = {k: v for k, v in environment.items() if not k.startswith("AWS_")}
    hosts = ["127.0.0.1", "localhost", *filter(None, [kept.get("NO_PROXY", "")])]
    return kept | {"NO_PROXY": ",".join(hosts), "no_proxy": ",".join(hosts)}


def emulator(data: DataFolder, port: int) -> dict[str, str]:
    """Return the emulator's variables; it keeps its files below the data folder."""
    temporary = data / "tmp"
    temporary.mkdir(exist_ok=True)
    return without_aws(os.environ) | {
        "BIND_HOST": "127.0.0.1",
        "GATEWAY_PORT": str(port),
        "ITEMS_FILE": str(data / "items.sqlite"),
        "TMPDIR": str(temporary),
        "LOG_LEVEL": "WARNING",
        "SFTP_ENABLED": "0",
        "IOT_MTLS_ENABLED": "0",
    }


def shared(
    data: DataFolder, endpoint: str, ids: Mapping[str, str], opensearch: str
) -> dict[str, str]:
    """Return what every function and the operator's command get; holds the signing key."""
    return aws_environment(endpoint) | {
        "MEMORY_TABLE": ids[TABLE],
        "SIGNING_KEY": data.secret("signing_key"),
        "SEARCH_FOLDER": str(data / "search"),
        "OPENSEARCH_ENDPOINT": opensearch,
    }


def workers(ours: Mapping[str, str]) -> dict[str, str]:
    """Return what a worker process starts with; one thread each, because they share the cores."""
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return without_aws(os.environ) | one_thread | dict(ours)


def of_function(
    name: str, template: Template, ids: Mapping[str, str], ours: Mapping[str, str]
) -> dict[str, str]:
    """Return one function's variables: those of template.yaml, then ours over them."""
    declared = template.functions[name].environment
    values = {k: resolve(v, template, ids) for k, v in declared.items()}
    known = {k: v for k, v in values.items() if v is not None}
    return known | dict(ours) | {"AWS_LAMBDA_FUNCTION_NAME": name}


def resolve(value: Any, template: Template, ids: Mapping[str, str]) -> str | None:
    """Return an environment value as text: plain, or a Ref; None for other intrinsics."""
    if isinstance(value, dict):
        name = value.get("Ref")
        parameter = template.document.get("Parameters", {}).get(name, {})
        found = ids.get(name or "", parameter.get("Default"))
        return None if found is None else str(found)
    return str(value).lower() if isinstance(value, bool) else str(value)
