# What a developer runs. The environments are made at the first use, and again when their pins change.
#   make up     the whole cloud on this machine       make test   every test
#   make down   stop it                               make check  lint, format and types
#   make reset  stop it and delete its data           make build  validate and build for AWS
#   make stress the long runs of the tests            make mutation  what each condition is for
#   make clean  delete the environments and caches (never the data)

# The newest Python from 3.11 on that really runs: a shim that exists may still fail to start.
# 3.13 is the runtime of the cloud.
PYTHON := $(shell for python in python3.13 python3.12 python3.11 python3; do \
	$$python -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
	&& echo $$python && break; done)

# A mark carries the checksum of what the environment was made from.
key = $(shell cat requirements/install $(1) | cksum | cut -d' ' -f1)
DEV := .venv/.made-$(call key,pyproject.toml requirements/uv.txt requirements/dev.txt layers/*/requirements.txt)
EMULATOR := .venv-emulator/.made-$(call key,requirements/emulator.txt)
FUZZ := .venv-fuzz/.made-$(call key,requirements/fuzz.txt)
SAM := .venv-sam/.made-$(call key,requirements/sam.txt)

export SAM_CLI_TELEMETRY := 0

.PHONY: up down reset test check build clean

up: $(DEV) $(EMULATOR)
	@.venv/bin/python -m local.up

down: $(DEV)
	@.venv/bin/python -m local.up --down

reset: $(DEV)
	@.venv/bin/python -m local.up --reset

test: $(DEV) $(EMULATOR) $(SAM) $(FUZZ)
	.venv/bin/python -m pytest $(ARGS)

.PHONY: stress mutation
stress: $(DEV) $(EMULATOR) $(FUZZ)
	.venv/bin/python -m tests.stress $(ARGS)

mutation: $(DEV) $(EMULATOR)
	.venv/bin/python -m tests.mutation_check $(ARGS)

check: $(DEV)
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy

build: $(DEV) $(SAM)
	.venv-sam/bin/cfn-lint template.yaml
	.venv-sam/bin/sam validate --lint
	PYTHON=$(CURDIR)/.venv/bin/python .venv-sam/bin/sam build

clean:
	rm -rf .venv .venv-emulator .venv-sam .venv-fuzz .aws-sam .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(DEV):
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer starts here: install one, or say make PYTHON=/path/to/python" >&2; exit 1; }
	@requirements/install $(PYTHON) .venv requirements/dev.txt
	@touch $@

$(EMULATOR): | $(DEV)
	@requirements/install $(PYTHON) .venv-emulator requirements/emulator.txt
	@touch $@

$(SAM): | $(DEV)
	@requirements/install $(PYTHON) .venv-sam requirements/sam.txt
	@touch $@

$(FUZZ): | $(DEV)
	@requirements/install $(PYTHON) .venv-fuzz requirements/fuzz.txt
	@touch $@
