"""The exits: DynamoDB, search engines, embedders. Each stands behind a port of verbs.ports."""
