"""Every limit of Muniment, with its unit. A refusal names the limit and the actual value.

Lengths count characters, not bytes: Russian and English get the same room (row floppy caps).
"""

# one fact
STATEMENT = 600  # characters, of `statement` on record
CONTENT = 8_000  # characters, of `content` on remember
NAME = 100  # characters
DESCRIPTION = 300  # characters, one line
REASON = 1_000  # characters
ATTRIBUTES = 20  # pairs
ATTRIBUTE_NAME = 100  # characters
ATTRIBUTE_VALUE = 500  # characters
CITATIONS = 10  # citations
QUOTE = 300  # characters
LOCATOR = 500  # characters
DERIVED_FROM = 50  # fact ids
LINKS = 50  # links
TAGS = 20  # tags
LABEL = 100  # characters, of one tag, scope, fact_key, subject id, source revision
SOURCE_ID = 500  # characters
SOURCE_HASH = 200  # characters
IDENTIFIER = 63  # characters, of project, workspace, workplace, machine, principal
THREAD = 100  # characters, of a session or task id
ITEM_BYTES = 64 * 1024  # bytes of UTF-8, everything a fact says

# one request
BODY_BYTES = 256 * 1024  # bytes
JSON_DEPTH = 10  # nested objects and arrays
IDEMPOTENCY_KEY = 200  # characters
TOLD = 40  # characters of a wrong value or name that a refusal tells back
QUERY = 2_000  # characters
PAGE = 100  # facts
PAGE_DEFAULT = 50  # facts
SEARCH = 50  # facts
SOURCE_HASHES = 20  # sources whose present hash one request may name
SEARCH_DEFAULT = 10  # facts
EMBEDDED_TEXT = 2_000  # characters of a text that an embedding sees, and that are paid for
CONTEXT_TOKENS = 8_000  # tokens, by domain.context.tokens
CONTEXT_TOKENS_DEFAULT = 2_000  # tokens
CONTEXT_TOKENS_LEAST = 300  # tokens: the envelope alone needs about half of that

# time
IDEMPOTENCY_DAYS = 7
CONTEXT_LOG_DAYS = 90
EPHEMERAL_DAYS = 14
EXPIRY_SHARDS = 8  # of one hour of expiry, so that a sweep has no hot partition
FRESH_SECONDS = 60  # written so recently that the index may not know it yet
KEY_DAYS = 3_650  # longest life of an API key
GRACE_DAYS = 14  # of reading after a subscription lapsed
OVERLAP_HOURS = 168  # longest life of an old key beside the one that took its place
OVERLAP_HOURS_DEFAULT = 24

# one project
KEY_MEMBERS = 100  # live facts of one fact_key
KEY_STANDING = 40  # published facts of one fact_key: all flip together when one contradicts
FRESH_FACTS = 40  # newest facts that are merged into an answer before the index knows them

# one key
KEY_PROJECTS = 50  # projects that one key opens
KEYS = 1_000  # live keys of one tenant

# one tenant
DISPLAY_NAME = 100  # characters
REPOSITORY = 500  # characters of an address
