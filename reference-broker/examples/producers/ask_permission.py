#!/usr/bin/env python3
"""Asks a person for a permission through an ARC broker, and waits for the answer. Python's standard library only.

    ask_permission.py MESSAGE [SECONDS]

Prints `allow` (exit code 0), `deny` (3) or `undecided` (2), and why to stderr. Undecided is everything that is not a
person's answer: the deadline passed, the question was withdrawn, the broker is lost. Whoever calls this must then decide
without the person, or ask by another way; silence is neither consent nor refusal. An exit code of
1 is that of a program that broke, and says no more than that.

ARC_BROKER_URL         the broker; http://127.0.0.1:47821
ARC_BROKER_TOKEN_FILE  the file that holds its token; arc-broker.db.token
ARC_PATIENCE           seconds that a broker may be gone before it is given up; 10
"""

import http.client
import json
import os
import signal
import sys
import time
import urllib.error
import urllib.request
import uuid
from datetime import datetime, timezone

EXIT_CODES = {"allow": 0, "deny": 3, "undecided": 2}


class Undecided(Exception):
    """No person has decided; `outcome` says so to the broker."""

    def __init__(self, why, outcome="not_needed"):
        super().__init__(why)
        self.outcome = outcome


class Refused(Exception):
    """The broker has replied, and trying again will not help."""


class Broker:
    """The routes that a producer needs."""

    def __init__(self, url, token):
        self.url = url
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        # No proxy: it could neither reach this machine's loopback nor should it see the token.
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def call(self, path, body=None, longest=10):
        """The reply's JSON; OSError where there is none, or one that says to come again."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, self.headers)
        try:
            with self.opener.open(request, timeout=longest) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            if error.code == 429 or error.code >= 500:
                raise OSError(f"status {error.code}") from None
            raise Refused(f"status {error.code}") from None
        except (http.client.HTTPException, ValueError) as error:
            # Broken off in the middle, or not from a broker.
            raise OSError(type(error).__name__) from None


class Question:
    """One permission, from its asking to its end."""

    def __init__(self, broker, message, seconds, patience):
        self.broker, self.message, self.patience = broker, message, patience
        self.key = f"permission-{uuid.uuid4()}"
        self.deadline = time.time() + seconds
        self.may_be_open = False

    def decide(self):
        """`allow` or `deny`, as a person answered."""
        interaction = self.ask()["interaction"]
        while True:
            left = min(max(1, int(self.deadline - time.time())), 60)
            path = f"/v1/interactions/{interaction['id']}/wait?timeout={left}"
            interaction = self.persist(lambda: self.broker.call(path, longest=left + 10))
            if interaction["status"] != "pending":
                return self.answer(interaction)

    def ask(self):
        choices = [{"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny"}]
        response = {"kind": "permission", "choices": choices, "expires_at": instant(self.deadline)}
        request = {"key": self.key, "kind": "permission", "message": self.message, "response": response}
        # Made once: the same event again is a retry, and however often it is sent, one question is asked.
        event = new_event("request.created", request)
        self.may_be_open = True
        try:
            return self.persist(lambda: self.broker.call("/v1/events", event))
        except Refused:
            self.may_be_open = False
            raise

    def answer(self, interaction):
        if interaction["status"] == "expired":
            raise Undecided("nobody answered in time", outcome="expired")
        if interaction["status"] != "answered":
            raise Undecided("the question was withdrawn")
        choice = interaction["response"]["choice_id"]
        if choice not in ("allow", "deny"):
            raise Undecided("the answer is none of the choices", outcome="answered")
        return choice

    def persist(self, call):
        """Calls until there is a reply, or the broker has been gone too long."""
        gone_since = None
        while True:
            try:
                return call()
            except OSError as error:
                now = time.time()
                gone_since = gone_since or now
                if now >= min(gone_since + self.patience, self.deadline):
                    raise Undecided(f"the broker does not serve ({error})") from None
                time.sleep(0.5)

    def end(self, outcome):
        """Takes the question back where it is still open: nobody is to answer what no one waits for."""
        if self.may_be_open:
            try:
                event = new_event("request.resolved", {"key": self.key, "outcome": outcome})
                self.broker.call("/v1/events", event, longest=2)
            except (OSError, Refused):
                pass  # It expires by itself.


def new_event(event_type, request):
    return {
        "arc_version": "0.2",
        "event_id": f"evt_{uuid.uuid4()}",
        "event_type": event_type,
        "occurred_at": instant(time.time()),
        "sender": {"id": "python-hook", "name": "Python hook"},
        "request": request,
    }


def instant(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds")


def interrupt(*_):
    raise Undecided("interrupted")


def main():
    if len(sys.argv) not in (2, 3):
        print("usage: ask_permission.py MESSAGE [SECONDS]", file=sys.stderr)
        sys.exit(2)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    word, question, outcome = "undecided", None, "not_needed"
    try:
        with open(os.environ.get("ARC_BROKER_TOKEN_FILE", "arc-broker.db.token"), encoding="ascii") as file:
            broker = Broker(os.environ.get("ARC_BROKER_URL", "http://127.0.0.1:47821"), file.read().strip())
        seconds, patience = float((sys.argv[2:] or [600])[0]), float(os.environ.get("ARC_PATIENCE", 10))
        question = Question(broker, sys.argv[1], seconds, patience)
        word, outcome = question.decide(), "answered"
    except Undecided as why:
        outcome = why.outcome
        print(f"ask_permission: {why}", file=sys.stderr)
    except Refused as why:
        print(f"ask_permission: the broker refused ({why})", file=sys.stderr)
    except (OSError, ValueError) as error:
        print(f"ask_permission: there is no token, or a setting is no number ({error})", file=sys.stderr)
    if question:
        question.end(outcome)
    print(word)
    sys.exit(EXIT_CODES[word])


if __name__ == "__main__":
    main()
