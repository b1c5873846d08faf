# Generated from openapi.json by npm run python:client. Change the service's schemas, not this file.
"""Every operation of the service, one method each."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, Union, cast

from . import types
from ._transport import Transport


class Operations(Transport):
    """The operations by their ids in /openapi.json, in Python's spelling."""

    def register_owner(
        self,
        body: types.Register,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Session:
        """Register an owner account."""
        return cast("types.Session", self._request(
            "POST",
            "/v1/auth/register",
            (),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def login_owner(
        self,
        body: types.Login,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Session:
        """Sign in as an owner."""
        return cast("types.Session", self._request(
            "POST",
            "/v1/auth/login",
            (),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def get_owner(
        self,
    ) -> types.Account:
        """Get the account of the token."""
        return cast("types.Account", self._request(
            "GET",
            "/v1/auth/me",
            ("owner", ),
        ))

    def log_out(
        self,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Sign out everywhere."""
        self._request(
            "POST",
            "/v1/auth/logout",
            ("owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        )

    def change_password(
        self,
        body: types.ChangePassword,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Session:
        """Change the password."""
        return cast("types.Session", self._request(
            "POST",
            "/v1/auth/password",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def request_password_reset(
        self,
        body: types.RequestPasswordReset,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Ask for a link to a new password."""
        self._request(
            "POST",
            "/v1/auth/password-reset",
            (),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        )

    def reset_password(
        self,
        body: types.ResetPassword,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Session:
        """Set a new password by a link."""
        return cast("types.Session", self._request(
            "POST",
            "/v1/auth/password-reset/confirm",
            (),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def request_email_confirmation(
        self,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Ask for a link that confirms the e-mail address."""
        self._request(
            "POST",
            "/v1/auth/email-confirmation",
            ("owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        )

    def confirm_email(
        self,
        body: types.ConfirmEmail,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Member:
        """Confirm an e-mail address by a link."""
        return cast("types.Member", self._request(
            "POST",
            "/v1/auth/email-confirmation/confirm",
            (),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def get_auth_options(
        self,
    ) -> types.AuthOptions:
        """Get the ways to sign in and to register."""
        return cast("types.AuthOptions", self._request(
            "GET",
            "/v1/auth/options",
            (),
        ))

    def create_oidc_session(
        self,
        body: types.CreateOidcSession,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Session:
        """Finish a sign-in by OpenID Connect."""
        return cast("types.Session", self._request(
            "POST",
            "/v1/auth/oidc/session",
            (),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_sessions(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.ActiveSessionList:
        """List the caller's active sessions, newest first."""
        return cast("types.ActiveSessionList", self._request(
            "GET",
            "/v1/auth/sessions",
            ("owner", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def end_session(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """End a session."""
        self._request(
            "DELETE",
            f"/v1/auth/sessions/{self._part(id)}",
            ("owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        )

    def list_members(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.MemberList:
        """List the members of the account, newest first."""
        return cast("types.MemberList", self._request(
            "GET",
            "/v1/members",
            ("owner", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def update_member(
        self,
        id: str,
        body: types.UpdateMember,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Member:
        """Give a member another role."""
        return cast("types.Member", self._request(
            "PATCH",
            f"/v1/members/{self._part(id)}",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def remove_member(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Remove a member."""
        self._request(
            "DELETE",
            f"/v1/members/{self._part(id)}",
            ("owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        )

    def invite_member(
        self,
        body: types.InviteMember,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.InvitationWithLink:
        """Invite a person to the account."""
        return cast("types.InvitationWithLink", self._request(
            "POST",
            "/v1/invitations",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_invitations(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.InvitationList:
        """List the invitations to the account, newest first."""
        return cast("types.InvitationList", self._request(
            "GET",
            "/v1/invitations",
            ("owner", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def delete_invitation(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Withdraw an invitation to the account."""
        self._request(
            "DELETE",
            f"/v1/invitations/{self._part(id)}",
            ("owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        )

    def invite_owner(
        self,
        body: types.InviteOwner,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.InvitationWithLink:
        """Invite a person to open an account."""
        return cast("types.InvitationWithLink", self._request(
            "POST",
            "/v1/operator/invitations",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_owner_invitations(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.InvitationList:
        """List the invitations to open an account, newest first."""
        return cast("types.InvitationList", self._request(
            "GET",
            "/v1/operator/invitations",
            ("operator", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def delete_owner_invitation(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Withdraw an invitation to open an account."""
        self._request(
            "DELETE",
            f"/v1/operator/invitations/{self._part(id)}",
            ("operator", ),
            idempotency_key=idempotency_key,
            is_write=True,
        )

    def create_owner_key(
        self,
        body: types.CreateOwnerKey,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.OwnerKeyWithSecret:
        """Create an API key of the account."""
        return cast("types.OwnerKeyWithSecret", self._request(
            "POST",
            "/v1/keys",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_owner_keys(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.OwnerKeyList:
        """List the API keys of the account, newest first."""
        return cast("types.OwnerKeyList", self._request(
            "GET",
            "/v1/keys",
            ("owner", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def get_owner_key(
        self,
        id: str,
    ) -> types.OwnerKey:
        """Get an API key of the account."""
        return cast("types.OwnerKey", self._request(
            "GET",
            f"/v1/keys/{self._part(id)}",
            ("owner", ),
        ))

    def revoke_owner_key(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.OwnerKey:
        """Revoke an API key of the account."""
        return cast("types.OwnerKey", self._request(
            "DELETE",
            f"/v1/keys/{self._part(id)}",
            ("owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def export_account(
        self,
    ) -> str:
        """Export everything about the account."""
        return cast("str", self._request(
            "GET",
            "/v1/auth/export",
            ("owner", ),
            is_text=True,
        ))

    def erase_account(
        self,
        body: types.EraseAccount,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Erasure:
        """Erase the account and its agents."""
        return cast("types.Erasure", self._request(
            "POST",
            "/v1/auth/erasure",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def export_agent(
        self,
        id: str,
    ) -> str:
        """Export everything about an agent."""
        return cast("str", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}/export",
            ("agent", "owner", "operator", ),
            is_text=True,
        ))

    def erase_agent(
        self,
        id: str,
        body: types.EraseAgent,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Erasure:
        """Deactivate an agent and erase its personal data."""
        return cast("types.Erasure", self._request(
            "POST",
            f"/v1/agents/{self._part(id)}/erasure",
            ("owner", "operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def get_agent_erasure(
        self,
        id: str,
    ) -> types.Erasure:
        """Get how far the erasure of an agent is."""
        return cast("types.Erasure", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}/erasure",
            ("owner", "operator", ),
        ))

    def export_owner(
        self,
        id: str,
    ) -> str:
        """Export everything about an owner."""
        return cast("str", self._request(
            "GET",
            f"/v1/operator/owners/{self._part(id)}/export",
            ("operator", ),
            is_text=True,
        ))

    def erase_owner(
        self,
        id: str,
        body: types.EraseAccount,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Erasure:
        """Erase an owner and its agents."""
        return cast("types.Erasure", self._request(
            "POST",
            f"/v1/operator/owners/{self._part(id)}/erasure",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def get_owner_erasure(
        self,
        id: str,
    ) -> types.Erasure:
        """Get how far the erasure of an owner is."""
        return cast("types.Erasure", self._request(
            "GET",
            f"/v1/operator/owners/{self._part(id)}/erasure",
            ("operator", ),
        ))

    def register_agent(
        self,
        body: types.RegisterAgent,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.AgentWithKey:
        """Register an agent."""
        return cast("types.AgentWithKey", self._request(
            "POST",
            "/v1/agents",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_agents(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        parent_id: Optional[str] = None,
    ) -> types.AgentList:
        """List the owner's agents, newest first."""
        return cast("types.AgentList", self._request(
            "GET",
            "/v1/agents",
            ("owner", ),
            query={"cursor": cursor, "limit": limit, "parentId": parent_id},
        ))

    def get_own_agent(
        self,
    ) -> types.Agent:
        """Get the agent of the API key."""
        return cast("types.Agent", self._request(
            "GET",
            "/v1/agents/me",
            ("agent", ),
        ))

    def get_agent(
        self,
        id: str,
    ) -> Union[types.Agent, types.PublicAgent]:
        """Get an agent."""
        return cast("Union[types.Agent, types.PublicAgent]", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}",
            ("agent", "owner", "operator", ),
        ))

    def update_agent(
        self,
        id: str,
        body: types.UpdateAgent,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Agent:
        """Change an agent's display name, metadata or public profile."""
        return cast("types.Agent", self._request(
            "PATCH",
            f"/v1/agents/{self._part(id)}",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def deactivate_agent(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Agent:
        """Deactivate an agent permanently."""
        return cast("types.Agent", self._request(
            "DELETE",
            f"/v1/agents/{self._part(id)}",
            ("owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def register_successor(
        self,
        id: str,
        body: Optional[types.RegisterSuccessor] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.AgentWithKey:
        """Replace an agent by a new one that carries its record."""
        return cast("types.AgentWithKey", self._request(
            "POST",
            f"/v1/agents/{self._part(id)}/successor",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def rotate_agent_key(
        self,
        id: str,
        body: Optional[types.RotateKey] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.RotatedKey:
        """Create a new API key for an agent."""
        return cast("types.RotatedKey", self._request(
            "POST",
            f"/v1/agents/{self._part(id)}/rotate-key",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def offer_agent(
        self,
        id: str,
        body: types.OfferAgent,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Transfer:
        """Offer an agent to another owner."""
        return cast("types.Transfer", self._request(
            "POST",
            f"/v1/agents/{self._part(id)}/transfers",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_transfers(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.TransferList:
        """List the offers that the account made or was made, newest first."""
        return cast("types.TransferList", self._request(
            "GET",
            "/v1/transfers",
            ("owner", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def get_transfer(
        self,
        id: str,
    ) -> types.Transfer:
        """Get an offer."""
        return cast("types.Transfer", self._request(
            "GET",
            f"/v1/transfers/{self._part(id)}",
            ("owner", ),
        ))

    def withdraw_transfer(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Transfer:
        """Withdraw an offer."""
        return cast("types.Transfer", self._request(
            "DELETE",
            f"/v1/transfers/{self._part(id)}",
            ("owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def accept_transfer(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.AcceptedTransfer:
        """Accept an agent from another owner."""
        return cast("types.AcceptedTransfer", self._request(
            "POST",
            f"/v1/transfers/{self._part(id)}/accept",
            ("owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def decline_transfer(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Transfer:
        """Decline an agent from another owner."""
        return cast("types.Transfer", self._request(
            "POST",
            f"/v1/transfers/{self._part(id)}/decline",
            ("owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def claim_identifier(
        self,
        id: str,
        body: types.ClaimIdentifier,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Identifier:
        """Claim a name under which the agent is known elsewhere."""
        return cast("types.Identifier", self._request(
            "POST",
            f"/v1/agents/{self._part(id)}/identifiers",
            ("agent", "owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_identifiers(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.IdentifierList:
        """List the names of an agent, newest first."""
        return cast("types.IdentifierList", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}/identifiers",
            ("agent", "platform", "owner", "operator", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def verify_identifier(
        self,
        id: str,
        identifier_id: str,
        body: Optional[types.VerifyIdentifier] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Identifier:
        """Verify a name by its challenge."""
        return cast("types.Identifier", self._request(
            "POST",
            f"/v1/agents/{self._part(id)}/identifiers/{self._part(identifier_id)}/verify",
            ("agent", "owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def delete_identifier(
        self,
        id: str,
        identifier_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Give a name up."""
        self._request(
            "DELETE",
            f"/v1/agents/{self._part(id)}/identifiers/{self._part(identifier_id)}",
            ("agent", "owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        )

    def look_up(
        self,
        *,
        identifier: str,
    ) -> types.Lookup:
        """Find an agent and its score by a name."""
        return cast("types.Lookup", self._request(
            "GET",
            "/v1/lookup",
            ("agent", "platform", "owner", "operator", ),
            query={"identifier": identifier},
        ))

    def look_up_many(
        self,
        body: types.LookupBatch,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.LookupBatchAnswer:
        """Find up to 100 agents and their scores by name."""
        return cast("types.LookupBatchAnswer", self._request(
            "POST",
            "/v1/lookup",
            ("agent", "platform", "owner", "operator", ),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def decide(
        self,
        body: types.DecisionRequest,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Decision:
        """Decide whether to deal with an agent."""
        return cast("types.Decision", self._request(
            "POST",
            "/v1/decisions",
            ("agent", "platform", "owner", "operator", ),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def list_decisions(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.PastDecisionList:
        """List the decisions that the platform asked for, newest first."""
        return cast("types.PastDecisionList", self._request(
            "GET",
            "/v1/decisions",
            ("platform", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def get_auth_zen_configuration(
        self,
    ) -> types.AuthZenMetadata:
        """Get the metadata of the policy decision point (OpenID AuthZEN 1.0)."""
        return cast("types.AuthZenMetadata", self._request(
            "GET",
            "/.well-known/authzen-configuration",
            ("agent", "platform", "owner", "operator", ),
        ))

    def evaluate_access(
        self,
        body: types.AuthZenEvaluation,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.AuthZenDecision:
        """Decide by OpenID AuthZEN 1.0 (Access Evaluation)."""
        return cast("types.AuthZenDecision", self._request(
            "POST",
            "/access/v1/evaluation",
            ("agent", "platform", "owner", "operator", ),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def evaluate_accesses(
        self,
        body: types.AuthZenEvaluations,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.AuthZenDecisions:
        """Decide up to 100 times by OpenID AuthZEN 1.0 (Access Evaluations)."""
        return cast("types.AuthZenDecisions", self._request(
            "POST",
            "/access/v1/evaluations",
            ("agent", "platform", "owner", "operator", ),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def gate(
        self,
        *,
        policy: Optional[str] = None,
        review: Optional[Literal["allow", "deny"]] = None,
    ) -> types.Decision:
        """Decide for a proxy whether a request of an agent may pass (HTTP external authorization)."""
        return cast("types.Decision", self._request(
            "GET",
            "/v1/gate",
            ("agent", "platform", "owner", "operator", ),
            query={"policy": policy, "review": review},
        ))

    def put_policy(
        self,
        name: str,
        body: types.PolicyInput,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Policy:
        """Store a policy under a name."""
        return cast("types.Policy", self._request(
            "PUT",
            f"/v1/policies/{self._part(name)}",
            ("platform", "owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def get_policy(
        self,
        name: str,
    ) -> types.Policy:
        """Get a policy."""
        return cast("types.Policy", self._request(
            "GET",
            f"/v1/policies/{self._part(name)}",
            ("platform", "owner", ),
        ))

    def delete_policy(
        self,
        name: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Delete a policy."""
        self._request(
            "DELETE",
            f"/v1/policies/{self._part(name)}",
            ("platform", "owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        )

    def list_policies(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.PolicyList:
        """List the policies, by name."""
        return cast("types.PolicyList", self._request(
            "GET",
            "/v1/policies",
            ("platform", "owner", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def backtest_policy(
        self,
        name: str,
        body: types.Backtest,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.BacktestResult:
        """Test a policy on the platform’s own history."""
        return cast("types.BacktestResult", self._request(
            "POST",
            f"/v1/policies/{self._part(name)}/backtest",
            ("platform", ),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_score(
        self,
        id: str,
        *,
        at: Optional[str] = None,
        task_class: Optional[str] = None,
    ) -> types.Score:
        """Get the score of an agent."""
        return cast("types.Score", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}/score",
            ("agent", "platform", "owner", "operator", ),
            query={"at": at, "taskClass": task_class},
        ))

    def get_score_by_id(
        self,
        id: str,
        *,
        at: Optional[str] = None,
        task_class: Optional[str] = None,
    ) -> types.Score:
        """Get the score of an agent, by its own path."""
        return cast("types.Score", self._request(
            "GET",
            f"/v1/scores/{self._part(id)}",
            ("agent", "platform", "owner", "operator", ),
            query={"at": at, "taskClass": task_class},
        ))

    def get_score_history(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
    ) -> types.SnapshotList:
        """List the score history of an agent, newest first."""
        return cast("types.SnapshotList", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}/score/history",
            ("agent", "platform", "owner", "operator", ),
            query={"cursor": cursor, "limit": limit, "from": from_, "to": to},
        ))

    def get_score_series(
        self,
        id: str,
        *,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        points: Optional[int] = None,
    ) -> types.ScoreSeries:
        """Get the score of an agent at evenly spaced times."""
        return cast("types.ScoreSeries", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}/score/series",
            ("agent", "platform", "owner", "operator", ),
            query={"from": from_, "to": to, "points": points},
        ))

    def get_scores(
        self,
        body: types.ScoreBatch,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.ScoreBatchAnswer:
        """Get the scores of up to 100 agents."""
        return cast("types.ScoreBatchAnswer", self._request(
            "POST",
            "/v1/scores/batch",
            ("agent", "platform", "owner", "operator", ),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def get_classifications(
        self,
    ) -> types.Classifications:
        """List the score tiers, best first."""
        return cast("types.Classifications", self._request(
            "GET",
            "/v1/scores/classifications",
            ("agent", "platform", "owner", "operator", ),
        ))

    def explain_score(
        self,
        id: str,
        *,
        since: Optional[str] = None,
        without: Optional[str] = None,
        more: Optional[str] = None,
        task_class: Optional[str] = None,
    ) -> types.ScoreExplanation:
        """Explain the score of an agent."""
        return cast("types.ScoreExplanation", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}/score/explanation",
            ("agent", "platform", "owner", "operator", ),
            query={"since": since, "without": without, "more": more, "taskClass": task_class},
        ))

    def get_public_profile(
        self,
        id: str,
    ) -> types.PublicProfile:
        """Get the public profile of an agent."""
        return cast("types.PublicProfile", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}/profile",
            ("agent", "platform", "owner", "operator", ),
        ))

    def get_score_receipt(
        self,
        id: str,
    ) -> types.Receipt:
        """Get a signed receipt of the score."""
        return cast("types.Receipt", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}/score/receipt",
            ("agent", "platform", "owner", "operator", ),
        ))

    def get_receipt_keys(
        self,
    ) -> types.ReceiptKeySet:
        """Get the public keys that sign receipts."""
        return cast("types.ReceiptKeySet", self._request(
            "GET",
            "/v1/receipts/keys",
            ("agent", "platform", "owner", "operator", ),
        ))

    def export_events(
        self,
        id: str,
    ) -> str:
        """Export every event that counts, to recompute the score."""
        return cast("str", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}/events/export",
            ("agent", "owner", "operator", ),
            is_text=True,
        ))

    def report_own_event(
        self,
        body: types.EventInput,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Event:
        """Report an event about the calling agent, at a tenth of the weight."""
        return cast("types.Event", self._request(
            "POST",
            "/v1/events",
            ("agent", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_own_events(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        type: Optional[types.EventType] = None,
        agent_id: Optional[str] = None,
        quarantined: Optional[Literal["true", "false"]] = None,
    ) -> types.EventList:
        """List the events about the calling agent, or reported by the calling platform."""
        return cast("types.EventList", self._request(
            "GET",
            "/v1/events",
            ("agent", "platform", ),
            query={"cursor": cursor, "limit": limit, "from": from_, "to": to, "type": type, "agentId": agent_id, "quarantined": quarantined},
        ))

    def report_own_events(
        self,
        body: types.EventBatch,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.EventBatchAnswer:
        """Report up to 100 events about the calling agent."""
        return cast("types.EventBatchAnswer", self._request(
            "POST",
            "/v1/events/batch",
            ("agent", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def report_event(
        self,
        id: str,
        body: types.EventInput,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Event:
        """Report an event about an agent, at full weight."""
        return cast("types.Event", self._request(
            "POST",
            f"/v1/agents/{self._part(id)}/events",
            ("platform", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_events(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        type: Optional[types.EventType] = None,
    ) -> types.EventList:
        """List the events about an agent, newest first."""
        return cast("types.EventList", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}/events",
            ("agent", "platform", "owner", "operator", ),
            query={"cursor": cursor, "limit": limit, "from": from_, "to": to, "type": type},
        ))

    def report_events(
        self,
        id: str,
        body: types.EventBatch,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.EventBatchAnswer:
        """Report up to 100 events about an agent."""
        return cast("types.EventBatchAnswer", self._request(
            "POST",
            f"/v1/agents/{self._part(id)}/events/batch",
            ("platform", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def put_mapping(
        self,
        name: str,
        body: types.MappingInput,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Mapping:
        """Store how foreign JSON becomes reports."""
        return cast("types.Mapping", self._request(
            "PUT",
            f"/v1/platforms/me/mappings/{self._part(name)}",
            ("platform", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def get_mapping(
        self,
        name: str,
    ) -> types.Mapping:
        """Get a mapping."""
        return cast("types.Mapping", self._request(
            "GET",
            f"/v1/platforms/me/mappings/{self._part(name)}",
            ("platform", ),
        ))

    def delete_mapping(
        self,
        name: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Delete a mapping."""
        self._request(
            "DELETE",
            f"/v1/platforms/me/mappings/{self._part(name)}",
            ("platform", ),
            idempotency_key=idempotency_key,
            is_write=True,
        )

    def list_mappings(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.MappingList:
        """List the mappings, by name."""
        return cast("types.MappingList", self._request(
            "GET",
            "/v1/platforms/me/mappings",
            ("platform", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def try_mapping(
        self,
        name: str,
        body: types.MappingDryRun,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.MappingDryRunResult:
        """See what a payload would become."""
        return cast("types.MappingDryRunResult", self._request(
            "POST",
            f"/v1/platforms/me/mappings/{self._part(name)}/dry-run",
            ("platform", ),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def submit_payload(
        self,
        name: str,
        body: types.MappingPayload,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.MappedAnswer:
        """Report by a mapping, with an API key."""
        return cast("types.MappedAnswer", self._request(
            "POST",
            f"/v1/mappings/{self._part(name)}/events",
            ("platform", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def submit_signed_payload(
        self,
        id: str,
        name: str,
        body: types.MappingPayload,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.MappedAnswer:
        """Report by a mapping, signed by the sender."""
        return cast("types.MappedAnswer", self._request(
            "POST",
            f"/v1/platforms/{self._part(id)}/mappings/{self._part(name)}/events",
            ("agent", "platform", "owner", "operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def issue_credential(
        self,
        body: types.IssueCredential,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Credential:
        """Issue a credential to an agent."""
        return cast("types.Credential", self._request(
            "POST",
            "/v1/credentials",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_credentials(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        agent_id: str,
        status: Optional[Literal["active", "expired", "revoked"]] = None,
    ) -> types.CredentialList:
        """List the credentials of an agent, newest first."""
        return cast("types.CredentialList", self._request(
            "GET",
            "/v1/credentials",
            ("owner", ),
            query={"cursor": cursor, "limit": limit, "agentId": agent_id, "status": status},
        ))

    def issue_score_credential(
        self,
        id: str,
        body: types.IssueScoreCredential,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Credential:
        """Issue a credential that the score has reached a tier."""
        return cast("types.Credential", self._request(
            "POST",
            f"/v1/agents/{self._part(id)}/score/credential",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def get_credential(
        self,
        id: str,
    ) -> types.Credential:
        """Get a credential."""
        return cast("types.Credential", self._request(
            "GET",
            f"/v1/credentials/{self._part(id)}",
            ("agent", "platform", "owner", "operator", ),
        ))

    def revoke_credential(
        self,
        id: str,
        body: Optional[types.Revoke] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Credential:
        """Revoke a credential permanently."""
        return cast("types.Credential", self._request(
            "DELETE",
            f"/v1/credentials/{self._part(id)}",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def verify_credential_by_id(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Verification:
        """Verify a credential by its id."""
        return cast("types.Verification", self._request(
            "POST",
            f"/v1/credentials/{self._part(id)}/verify",
            ("owner", ),
            idempotency_key=idempotency_key,
        ))

    def verify_credential(
        self,
        body: types.VerifyCredential,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Verification:
        """Verify a credential by its id or its token."""
        return cast("types.Verification", self._request(
            "POST",
            "/v1/credentials/verify",
            ("agent", "platform", "owner", "operator", ),
            body=body,
            idempotency_key=idempotency_key,
        ))

    def reissue_credentials(
        self,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Reissued:
        """Sign living credentials again with the active key."""
        return cast("types.Reissued", self._request(
            "POST",
            "/v1/operator/credentials/reissue",
            ("operator", ),
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def get_attestation(
        self,
        id: str,
    ) -> types.Attestation:
        """Get a signed statement about an agent, valid for an hour."""
        return cast("types.Attestation", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}/attestation",
            ("agent", "platform", "owner", "operator", ),
        ))

    def list_signing_keys(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.SigningKeys:
        """List the keys that sign credentials, receipts and tokens, by purpose."""
        return cast("types.SigningKeys", self._request(
            "GET",
            "/v1/operator/keys",
            ("operator", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def rotate_signing_key(
        self,
        body: Optional[types.RotateSigningKey] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.SigningKey:
        """Replace the active signing key."""
        return cast("types.SigningKey", self._request(
            "POST",
            "/v1/operator/keys/rotate",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def revoke_signing_key(
        self,
        kid: str,
        body: types.RevokeSigningKey,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.SigningKey:
        """Revoke a signing key that leaked."""
        return cast("types.SigningKey", self._request(
            "POST",
            f"/v1/operator/keys/{self._part(kid)}/revoke",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def get_issuing(
        self,
    ) -> types.Issuing:
        """Get whether credentials are issued."""
        return cast("types.Issuing", self._request(
            "GET",
            "/v1/operator/issuing",
            ("operator", ),
        ))

    def update_issuing(
        self,
        body: types.UpdateIssuing,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Issuing:
        """Halt or resume the issuing of credentials."""
        return cast("types.Issuing", self._request(
            "PATCH",
            "/v1/operator/issuing",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def get_platform(
        self,
        id: str,
    ) -> types.PublicPlatform:
        """Get the name of a platform."""
        return cast("types.PublicPlatform", self._request(
            "GET",
            f"/v1/platforms/{self._part(id)}",
            ("agent", "platform", "owner", "operator", ),
        ))

    def get_own_platform(
        self,
    ) -> types.OwnPlatform:
        """Get the platform of the API key."""
        return cast("types.OwnPlatform", self._request(
            "GET",
            "/v1/platforms/me",
            ("platform", ),
        ))

    def create_platform(
        self,
        body: types.CreatePlatform,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.PlatformWithKey:
        """Create a platform."""
        return cast("types.PlatformWithKey", self._request(
            "POST",
            "/v1/operator/platforms",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_platforms(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.PlatformList:
        """List the platforms, newest first."""
        return cast("types.PlatformList", self._request(
            "GET",
            "/v1/operator/platforms",
            ("operator", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def update_platform(
        self,
        id: str,
        body: types.UpdatePlatform,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Platform:
        """Change a platform's name, tier, signing key, status or verification."""
        return cast("types.Platform", self._request(
            "PATCH",
            f"/v1/operator/platforms/{self._part(id)}",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def rotate_platform_key(
        self,
        id: str,
        body: Optional[types.RotateKey] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.RotatedKey:
        """Create a new API key for a platform."""
        return cast("types.RotatedKey", self._request(
            "POST",
            f"/v1/operator/platforms/{self._part(id)}/rotate-key",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def discard_reports(
        self,
        id: str,
        body: types.DiscardReports,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Discard:
        """Discard everything that a platform has reported."""
        return cast("types.Discard", self._request(
            "POST",
            f"/v1/operator/platforms/{self._part(id)}/discard",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_owners(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        email: Optional[str] = None,
    ) -> types.OwnerList:
        """List the owners, newest first, or find one by e-mail."""
        return cast("types.OwnerList", self._request(
            "GET",
            "/v1/operator/owners",
            ("operator", ),
            query={"cursor": cursor, "limit": limit, "email": email},
        ))

    def update_owner(
        self,
        id: str,
        body: types.UpdateOwner,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.ManagedOwner:
        """Move an owner to another tier, suspend an owner or end the suspension."""
        return cast("types.ManagedOwner", self._request(
            "PATCH",
            f"/v1/operator/owners/{self._part(id)}",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def create_reset_link(
        self,
        body: types.CreateResetLink,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.ResetLink:
        """Create a link to a new password."""
        return cast("types.ResetLink", self._request(
            "POST",
            "/v1/operator/password-resets",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def set_agent_status(
        self,
        id: str,
        body: types.SetStatus,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Agent:
        """Suspend an agent, or reactivate it."""
        return cast("types.Agent", self._request(
            "PATCH",
            f"/v1/operator/agents/{self._part(id)}",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def create_operator(
        self,
        body: types.CreateOperator,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.OperatorWithKey:
        """Create an operator with its own key."""
        return cast("types.OperatorWithKey", self._request(
            "POST",
            "/v1/operator/operators",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_operators(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.OperatorList:
        """List the operators, newest first."""
        return cast("types.OperatorList", self._request(
            "GET",
            "/v1/operator/operators",
            ("operator", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def rotate_operator_key(
        self,
        name: str,
        body: Optional[types.RotateKey] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.RotatedKey:
        """Create a new key for an operator."""
        return cast("types.RotatedKey", self._request(
            "POST",
            f"/v1/operator/operators/{self._part(name)}/rotate-key",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def revoke_operator(
        self,
        name: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Operator:
        """Revoke an operator."""
        return cast("types.Operator", self._request(
            "DELETE",
            f"/v1/operator/operators/{self._part(name)}",
            ("operator", ),
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_jobs(
        self,
    ) -> types.Jobs:
        """List the background jobs of this process, and the work that waits."""
        return cast("types.Jobs", self._request(
            "GET",
            "/v1/operator/jobs",
            ("operator", ),
        ))

    def get_backups(
        self,
    ) -> types.Backups:
        """Get the latest backup."""
        return cast("types.Backups", self._request(
            "GET",
            "/v1/operator/backups",
            ("operator", ),
        ))

    def get_calibration(
        self,
    ) -> types.Calibration:
        """Compare scores of 30 days ago with what happened since."""
        return cast("types.Calibration", self._request(
            "GET",
            "/v1/operator/calibration",
            ("operator", ),
        ))

    def get_resistance(
        self,
    ) -> types.Resistance:
        """Try what established platforms that lie would do to the scores."""
        return cast("types.Resistance", self._request(
            "GET",
            "/v1/operator/resistance",
            ("operator", ),
        ))

    def import_past(
        self,
        body: str,
        *,
        name: str,
        dry_run: Optional[Literal["true", "false"]] = None,
        first_line: Optional[int] = None,
        agent: Optional[str] = None,
        by: Optional[str] = None,
    ) -> types.ImportSummary:
        """Import the past of platforms."""
        return cast("types.ImportSummary", self._request(
            "POST",
            "/v1/operator/imports",
            ("operator", ),
            text=body,
            query={"name": name, "dryRun": dry_run, "firstLine": first_line, "agent": agent, "by": by},
        ))

    def list_reviews(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        rule: Optional[Literal["attestation_invalid", "contradictory_data", "implausible_data", "identical_event", "near_duplicate", "burst", "burst_peers", "backdated", "window_edge", "self_dealing", "credential_pumping", "sleeper", "sudden_change", "conflicting_report"]] = None,
        agent_id: Optional[str] = None,
        reporter_id: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
    ) -> types.ReviewList:
        """List the quarantined events that await review, oldest first."""
        return cast("types.ReviewList", self._request(
            "GET",
            "/v1/operator/reviews",
            ("operator", ),
            query={"cursor": cursor, "limit": limit, "rule": rule, "agentId": agent_id, "reporterId": reporter_id, "from": from_, "to": to},
        ))

    def list_findings(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        rule: Optional[Literal["attestation_invalid", "contradictory_data", "implausible_data", "identical_event", "near_duplicate", "burst", "burst_peers", "backdated", "window_edge", "self_dealing", "credential_pumping", "sleeper", "sudden_change", "conflicting_report"]] = None,
        agent_id: Optional[str] = None,
        reporter_id: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
    ) -> types.ReviewList:
        """List the events with a finding of any rule, newest first."""
        return cast("types.ReviewList", self._request(
            "GET",
            "/v1/operator/findings",
            ("operator", ),
            query={"cursor": cursor, "limit": limit, "rule": rule, "agentId": agent_id, "reporterId": reporter_id, "from": from_, "to": to},
        ))

    def review_event(
        self,
        id: str,
        body: types.ReviewDecision,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Event:
        """Release or uphold a quarantined event."""
        return cast("types.Event", self._request(
            "POST",
            f"/v1/operator/events/{self._part(id)}/review",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def review_events(
        self,
        body: types.BulkReview,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.BulkReviewAnswer:
        """Release or uphold many quarantined events at once."""
        return cast("types.BulkReviewAnswer", self._request(
            "POST",
            "/v1/operator/reviews/bulk",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def appeal_event(
        self,
        id: str,
        body: types.Appeal,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Event:
        """Appeal the decision on an upheld event."""
        return cast("types.Event", self._request(
            "POST",
            f"/v1/events/{self._part(id)}/appeal",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def get_quarantined_score(
        self,
        id: str,
    ) -> types.QuarantinedScore:
        """Get the score as if the events awaiting review counted."""
        return cast("types.QuarantinedScore", self._request(
            "GET",
            f"/v1/agents/{self._part(id)}/score/quarantined",
            ("agent", "owner", "operator", ),
        ))

    def list_rules(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.FraudRuleList:
        """List the fraud rules and their settings."""
        return cast("types.FraudRuleList", self._request(
            "GET",
            "/v1/operator/rules",
            ("operator", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def update_rule(
        self,
        rule: str,
        body: types.UpdateFraudRule,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.FraudRule:
        """Change the mode or the threshold of a fraud rule."""
        return cast("types.FraudRule", self._request(
            "PATCH",
            f"/v1/operator/rules/{self._part(rule)}",
            ("operator", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_audit(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.AuditList:
        """List the audit log, newest first."""
        return cast("types.AuditList", self._request(
            "GET",
            "/v1/operator/audit",
            ("operator", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def export_audit(
        self,
        *,
        after: Optional[int] = None,
    ) -> str:
        """Export the audit log as JSON lines, oldest first."""
        return cast("str", self._request(
            "GET",
            "/v1/operator/audit/export",
            ("operator", ),
            query={"after": after},
            is_text=True,
        ))

    def create_webhook(
        self,
        body: types.CreateWebhook,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.WebhookWithSecret:
        """Create a webhook subscription."""
        return cast("types.WebhookWithSecret", self._request(
            "POST",
            "/v1/webhooks",
            ("platform", "owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_webhooks(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.WebhookList:
        """List the account’s webhook subscriptions, newest first."""
        return cast("types.WebhookList", self._request(
            "GET",
            "/v1/webhooks",
            ("platform", "owner", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def get_webhook(
        self,
        id: str,
    ) -> types.Webhook:
        """Get a webhook subscription."""
        return cast("types.Webhook", self._request(
            "GET",
            f"/v1/webhooks/{self._part(id)}",
            ("platform", "owner", ),
        ))

    def update_webhook(
        self,
        id: str,
        body: types.UpdateWebhook,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Webhook:
        """Change a webhook subscription, or resume it."""
        return cast("types.Webhook", self._request(
            "PATCH",
            f"/v1/webhooks/{self._part(id)}",
            ("platform", "owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def delete_webhook(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Delete a webhook subscription."""
        self._request(
            "DELETE",
            f"/v1/webhooks/{self._part(id)}",
            ("platform", "owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        )

    def rotate_webhook_secret(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.RotatedSecret:
        """Create a new secret for a webhook subscription."""
        return cast("types.RotatedSecret", self._request(
            "POST",
            f"/v1/webhooks/{self._part(id)}/rotate-secret",
            ("platform", "owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_webhook_deliveries(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        status: Optional[Literal["pending", "delivered", "failed"]] = None,
    ) -> types.WebhookDeliveryList:
        """List the deliveries of a subscription, newest first."""
        return cast("types.WebhookDeliveryList", self._request(
            "GET",
            f"/v1/webhooks/{self._part(id)}/deliveries",
            ("platform", "owner", ),
            query={"cursor": cursor, "limit": limit, "status": status},
        ))

    def get_webhook_delivery(
        self,
        id: str,
        delivery_id: str,
    ) -> types.WebhookDeliveryDetails:
        """Get a delivery with its notification and attempts."""
        return cast("types.WebhookDeliveryDetails", self._request(
            "GET",
            f"/v1/webhooks/{self._part(id)}/deliveries/{self._part(delivery_id)}",
            ("platform", "owner", ),
        ))

    def redeliver_webhook(
        self,
        id: str,
        delivery_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.WebhookDelivery:
        """Send a delivery again."""
        return cast("types.WebhookDelivery", self._request(
            "POST",
            f"/v1/webhooks/{self._part(id)}/deliveries/{self._part(delivery_id)}/redeliver",
            ("platform", "owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def recover_webhook(
        self,
        id: str,
        body: types.RecoverWebhook,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.RecoveredWebhook:
        """Send again what was not delivered since a time."""
        return cast("types.RecoveredWebhook", self._request(
            "POST",
            f"/v1/webhooks/{self._part(id)}/recover",
            ("platform", "owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def test_webhook(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.WebhookDelivery:
        """Send a test notification."""
        return cast("types.WebhookDelivery", self._request(
            "POST",
            f"/v1/webhooks/{self._part(id)}/test",
            ("platform", "owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def create_listener(
        self,
        body: types.CreateListener,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Listener:
        """Create a listener: read notifications without a public URL."""
        return cast("types.Listener", self._request(
            "POST",
            "/v1/webhooks/listeners",
            ("owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def list_listener_notifications(
        self,
        id: str,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
        wait_seconds: Optional[int] = None,
    ) -> types.ListenerNotifications:
        """Read the notifications since the last request, oldest first."""
        return cast("types.ListenerNotifications", self._request(
            "GET",
            f"/v1/webhooks/listeners/{self._part(id)}/notifications",
            ("owner", ),
            query={"cursor": cursor, "limit": limit, "waitSeconds": wait_seconds},
        ))

    def watch_agent(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Watch:
        """Watch an agent of another account."""
        return cast("types.Watch", self._request(
            "PUT",
            f"/v1/watches/{self._part(id)}",
            ("platform", "owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def unwatch_agent(
        self,
        id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Stop watching an agent."""
        self._request(
            "DELETE",
            f"/v1/watches/{self._part(id)}",
            ("platform", "owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        )

    def list_watches(
        self,
        *,
        cursor: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> types.WatchList:
        """List the agents that the account watches."""
        return cast("types.WatchList", self._request(
            "GET",
            "/v1/watches",
            ("platform", "owner", ),
            query={"cursor": cursor, "limit": limit},
        ))

    def create_test_platform(
        self,
        body: types.CreateTestPlatform,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.TestPlatform:
        """Create a platform for test data, and its key."""
        return cast("types.TestPlatform", self._request(
            "POST",
            "/v1/test-data/platforms",
            ("platform", "owner", ),
            body=body,
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def delete_test_data(
        self,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.DeletedTestData:
        """Delete all of the owner's test data."""
        return cast("types.DeletedTestData", self._request(
            "DELETE",
            "/v1/test-data",
            ("owner", ),
            idempotency_key=idempotency_key,
            is_write=True,
        ))

    def get_health(
        self,
    ) -> types.Health:
        """Check that the process is alive."""
        return cast("types.Health", self._request(
            "GET",
            "/healthz",
            (),
        ))

    def get_readiness(
        self,
    ) -> types.Readiness:
        """Check that the service can serve requests."""
        return cast("types.Readiness", self._request(
            "GET",
            "/readyz",
            (),
        ))
