"""Credentials told by the line around them: URLs, headers, command lines, SQL."""

from __future__ import annotations

from muniment.domain.guard.checksums import is_user_and_password
from muniment.domain.guard.plausible import is_plausible_password
from muniment.domain.guard.rules_form import Shape

SHAPES = (
    Shape(
        "url-credential",
        "RFC 3986 3.2.1: user information; connection strings of PostgreSQL, MySQL, Redis, …",
        "://",
        r"://[^\s:/?#@\"'<>]{0,100}:(?P<s>[^\s/?#\"'<>]{1,200})@(?=[\w.\[$({-])",
    ),
    Shape(
        "url-credential",
        "GitHub: a token as the user of a clone URL",
        ":x_oauth_basic@",
        r"(?P<s>[A-Za-z0-9_.-]{30,255}):x-oauth-basic@",
        back=(40, 36, 32),
    ),
    Shape(
        "basic-credential",
        "RFC 7617: Basic authentication",
        "basic_",
        r"(?i:basic)\s{1,4}(?P<s>[A-Za-z0-9+/]{8,400}={0,2})(?![\w])",
        must=is_user_and_password,
    ),
    Shape(
        "bearer-token",
        "RFC 6750: Bearer tokens; GitHub's and Gitea's scheme `token`",
        "bearer_ authorization",
        r"(?i:bearer|authorization[\"']?\s{0,2}[:=]\s{0,2}[\"']?token)\s{1,4}"
        r"(?P<s>(?=[A-Za-z._~+/-]{0,60}\d)[\w.~+/-]{16,2000}={0,2})",
    ),
    Shape(
        "docker-auth",
        "Docker: config.json",
        '"auth"',
        r'"auth"\s{0,4}:\s{0,4}"(?P<s>[A-Za-z0-9+/]{8,400}={0,2})"',
        must=is_user_and_password,
    ),
    Shape(
        "command-line-credential",
        "curl, wget, httpie: -u user:password",
        "__u ___user ___proxy_user __a_",
        r"\s(?:-u\s{0,2}|--(?:proxy-)?user[= ]|-a\s)[\"']?[^\s:\"'$<{]{1,100}:"
        r"(?P<s>[^\s\"'$<{@]{3,200})",
        must=is_plausible_password,
    ),
    Shape(
        "command-line-password",
        "mysql -p…, sshpass -p, docker login -p, redis-cli -a and others",
        "mysql mariadb sshpass docker_login az_ mongo redis_cli sqlcmd ldapsearch rabbitmqctl "
        "openssl_ unzip zip_ 7z_ 7za_",
        r"(?:(?:mysql|mariadb)[\w-]{0,9}\b[^\n|;]{0,80}?\s-p"
        r"|(?:sshpass|docker login|az|mongo\w{0,7})\b[^\n|;]{0,80}?\s-p\s{0,2}"
        r"|redis-cli\b[^\n|;]{0,80}?\s-a\s{1,2}"
        r"|sqlcmd\b[^\n|;]{0,80}?\s-P\s{0,2}|ldapsearch\b[^\n|;]{0,80}?\s-w\s{1,2}"
        r"|openssl\b[^\n|;]{0,80}?\s(?:-k\s{1,2}|-pass(?:in|out)?\s{1,2}pass:)"
        r"|(?:un)?zip\b[^\n|;]{0,80}?\s-P\s{0,2}|7za?\b[^\n|;]{0,80}?\s-p"
        r"|rabbitmqctl (?:add_user|change_password)\s{1,2}\S{1,99}\s{1,2})"
        r"[\"']?(?P<s>[^\s\"'$<{|;-][^\s\"'$<{|;]{3,200})",
        must=is_plausible_password,
    ),
    Shape(
        "command-line-password",
        "a password handed to a command: echo … | docker login --password-stdin",
        "echo_",
        r"echo\s{1,2}(?:-n\s{1,2})?[\"']?(?P<s>[^\s\"'|$<{]{4,200})[\"']?\s{0,2}\|[^\n|]{0,80}"
        r"(?:--password-stdin|passwd\b|--with-token)",
        must=is_plausible_password,
    ),
    Shape(
        "command-line-password",
        "Oracle SQL*Plus: user/password@service",
        "sqlplus sqlldr expdp impdp",
        r"\w{5,7}\s{1,3}(?:-\w\s{1,3})?[\"']?\w{1,40}/(?P<s>[^\s@/\"']{4,100})@",
        must=is_plausible_password,
    ),
    Shape(
        "sql-password",
        "SQL: IDENTIFIED BY, WITH PASSWORD",
        "identified_by identified_with password_'",
        r"(?i:identified\s{1,4}(?:with\s{1,4}\S{1,40}\s{1,4})?by|password)\s{1,4}"
        r"'(?P<s>[^'\n]{6,200})'",
    ),
)
