"""API keys of every sort for the end-to-end tests, written straight into the table.

The operator's command makes only keys that mean something and are good for a day at least.
"""

import secrets

import boto3

from muniment.adapters.dynamo_table import Table
from muniment.adapters.dynamo_tenants import DynamoTenants
from muniment.bootstrap import now
from muniment.domain.caller import Action, PrincipalKind
from muniment.domain.keys import ALPHABET, ID_LENGTH, SECRET_LENGTH, ApiKey, compose, fingerprint
from tests.e2e.conftest import Cloud

MINUTE = 60_000  # milliseconds


def table_of(cloud: Cloud) -> Table:
    """Return the table itself, for what no verb and no command can bring about."""
    given = cloud.environment.get
    session = boto3.Session(
        profile_name=given("AWS_PROFILE"),
        region_name=given("AWS_REGION") or given("AWS_DEFAULT_REGION"),
        aws_access_key_id=given("AWS_ACCESS_KEY_ID"),
        aws_secret_access_key=given("AWS_SECRET_ACCESS_KEY"),
        aws_session_token=given("AWS_SESSION_TOKEN"),
    )
    client = session.client("dynamodb", endpoint_url=given("AWS_ENDPOINT_URL"))
    return Table(client, cloud.environment["MEMORY_TABLE"])


class KeyMaker:
    """Makes keys of one tenant."""

    def __init__(self, cloud: Cloud, tenant: str) -> None:
        self._tenants, self._tenant = DynamoTenants(table_of(cloud)), tenant

    def key(
        self,
        *actions: Action,
        principal: str = "vera",
        projects: tuple[str, ...] = ("backend",),
        expires_in: int | None = None,
        revoked: bool = False,
    ) -> str:
        """Return the text of a new key of a person. `expires_in`: milliseconds, may be past."""
        key_id = secrets.token_hex(ID_LENGTH // 2)
        text = compose(key_id, "".join(secrets.choice(ALPHABET) for _ in range(SECRET_LENGTH)))
        made = ApiKey(
            key_id=key_id,
            tenant=self._tenant,
            principal=principal,
            kind=PrincipalKind.HUMAN,
            operator=None,
            projects=projects,
            actions=frozenset(actions),
            created_at=now() - 2 * MINUTE,
            expires_at=None if expires_in is None else now() + expires_in,
        )
        self._tenants.enrol(made, fingerprint(text))
        if revoked:
            self._tenants.revoke(self._tenant, key_id, now())
        return text
