"""The whole cloud on a laptop: `python -m local.up`.

```
 you ──► front_door ──► gateway ──► workers ──► runtime (N processes: the handlers, from source)
          PORT            ▲            ▲             │
                     template.yaml     │ invoke      │ boto3
                          │            │             ▼
                        stack ──────► emulator (PORT+1, .venv-emulator) ──► items.sqlite
                          deploys       DynamoDB, its stream, CloudFormation
```
"""
