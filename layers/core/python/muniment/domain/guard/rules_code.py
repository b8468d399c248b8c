"""Tokens of version control, package registries and build services."""

from __future__ import annotations

from muniment.domain.guard.checksums import has_crc_tail
from muniment.domain.guard.entropy import is_mixed
from muniment.domain.guard.plausible import is_plausible_password
from muniment.domain.guard.rules_form import Shape, Token

GITLAB = r"[\w-]{20,300}(?:\.[0-9a-z]{2}\.[0-9a-z]{7,9})?"

TOKENS = (
    Token(
        "github-token",
        "GitHub: token formats",
        "ghp_ gho_ ghu_ ghs_ ghr_",
        "[A-Za-z0-9]{36,251}",
        proof=has_crc_tail,
    ),
    Token("github-fine-grained-token", "GitHub: token formats", "github_pat_", r"\w{36,255}"),
    Token("gitlab-token", "GitLab: token prefixes", "glpat-", GITLAB),
    Token("gitlab-deploy-token", "GitLab: token prefixes", "gldt-", GITLAB),
    Token("gitlab-runner-token", "GitLab: token prefixes", "glrt- glrtr- GR1348941", GITLAB),
    Token(
        "gitlab-job-token",
        "GitLab: token prefixes",
        "glcbt-",
        r"(?:[0-9a-zA-Z]{1,5}_)?[\w-]{20,300}",
    ),
    Token("gitlab-trigger-token", "GitLab: token prefixes", "glptt-", "[0-9a-f]{40}"),
    Token("gitlab-feed-token", "GitLab: token prefixes", "glft-", GITLAB),
    Token("gitlab-mail-token", "GitLab: token prefixes", "glimt-", r"[\w-]{25}"),
    Token("gitlab-agent-token", "GitLab: token prefixes", "glagent-", r"[\w-]{50,1024}"),
    Token("gitlab-oauth-secret", "GitLab: token prefixes", "gloas-", r"[0-9a-zA-Z]{64}"),
    Token("gitlab-scim-token", "GitLab: token prefixes", "glsoat-", GITLAB),
    Token("gitlab-feature-token", "GitLab: token prefixes", "glffct-", GITLAB),
    Token("bitbucket-token", "Bitbucket Cloud: access tokens", "ATCTT3xFfGN0", r"[\w=-]{50,250}"),
    Token("bitbucket-app-password", "Bitbucket Cloud: app passwords", "ATBB", "[A-Za-z0-9]{28,36}"),
    Token(
        "npm-token",
        "npm: token format",
        "npm_",
        "[A-Za-z0-9]{36}",
        proof=has_crc_tail,
    ),
    Token("pypi-token", "PyPI: API tokens (macaroons)", "pypi-AgEIcHlwaS5vcmc", r"[\w-]{50,}"),
    Token("pypi-token", "TestPyPI: API tokens", "pypi-AgENdGVzdC5weXBpLm9yZw", r"[\w-]{50,}"),
    Token("rubygems-key", "RubyGems: API keys", "rubygems_", "[0-9a-f]{48}"),
    Token("crates-token", "crates.io: API tokens", "cio", "[A-Za-z0-9]{32}", must=is_mixed),
    Token("docker-token", "Docker Hub: access tokens", "dckr_pat_ dckr_oat_", r"[\w-]{27,40}"),
    Token("artifactory-key", "JFrog: API keys", "AKCp", "[A-Za-z0-9]{69}"),
    Token("artifactory-token", "JFrog: reference tokens", "cmVmdGtu", "[A-Za-z0-9]{56}"),
    Token("nuget-key", "NuGet: API keys", "oy2", "[a-z0-9]{43}"),
    Token("clojars-token", "Clojars: deploy tokens", "CLOJARS_", "[A-Za-z0-9]{60}"),
    Token("sonarqube-token", "SonarQube: user tokens", "squ_ sqp_ sqa_", "[0-9a-f]{40}"),
    Token(
        "circleci-token",
        "CircleCI: API tokens",
        "CCIPAT_ CCIPRJ_",
        "[A-Za-z0-9]{18,26}_[0-9a-f]{40}",
    ),
    Token("buildkite-token", "Buildkite: API access tokens", "bkua_", "[0-9a-f]{40}"),
    Token(
        "harness-token",
        "Harness: API keys",
        "pat. sat.",
        r"[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}",
    ),
    Token(
        "sourcegraph-token",
        "Sourcegraph: access tokens",
        "sgp_",
        "(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}",
    ),
    Token("prefect-key", "Prefect Cloud: API keys", "pnu_ pnb_", "[A-Za-z0-9]{36}"),
    Token("readme-key", "ReadMe: API keys", "rdme_", "[a-z0-9]{70}"),
    Token("postman-key", "Postman: API keys", "PMAK-", "[0-9a-f]{24}-[0-9a-f]{34}"),
    Token("postman-token", "Postman: collection tokens", "PMAT-", "[0-9A-Z]{26}"),
    Token("deno-token", "Deno Deploy: access tokens", "ddp_ ddw_", "[A-Za-z0-9]{36}"),
    Token("apollo-key", "Apollo GraphOS: API keys", "service: user:gh.", r"[\w.-]{1,60}:[\w-]{22}"),
)

SHAPES = (
    Shape(
        "npmrc-credential",
        "npm: .npmrc",
        "_authtoken :_auth :_password",
        r"(?:_authToken|:_auth|:_password)\s{0,3}=\s{0,3}[\"']?(?P<s>[^\s\"'$<{]{8,400})",
    ),
    Shape(
        "netrc-password",
        "GNU inetutils: .netrc",
        "machine default",
        r"(?:machine\s{1,9}\S{1,253}|default)\s{1,9}login\s{1,9}\S{1,200}\s{1,9}"
        r"password\s{1,9}(?P<s>\S{3,200})",
    ),
    Shape(
        "pgpass-password",
        "PostgreSQL: the password file",
        ":5432: :6432:",
        r":(?:5432|6432):[\w*-]{1,63}:[\w*.-]{1,63}:(?P<s>[^\s:]{4,200})",
        must=is_plausible_password,
    ),
)
