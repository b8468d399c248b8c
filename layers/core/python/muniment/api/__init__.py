"""How a verb becomes a Lambda: resolver, caller, problem documents, views."""
