"""PUT /api/v1/project-memory/projects/{project}/members/{principal}"""

from muniment.api.app import Action, asked_in, create_app, entrypoint, query
from muniment.api.tenants import MemberView, member_view
from muniment.bootstrap import now, tenants
from muniment.verbs.fields import Nothing
from muniment.verbs.manage_members import SetMember, set_member

app = create_app()


@app.put("/api/v1/project-memory/projects/<project>/members/<principal>")
def route(project: str, principal: str, ask: SetMember) -> MemberView:
    query(app, Nothing)
    who = asked_in(app, project, now())
    return member_view(set_member(tenants(), who, principal, ask), project, who.now)


handler = entrypoint(app, Action.OWN)
