#!/usr/bin/env node
// Asks a person for a permission through an ARC broker, and waits for the answer. Node alone, without packages; Node 22.18
// and later run this file as it is.
//
//     node ask_permission.mts MESSAGE [SECONDS]
//
// Prints `allow` (exit code 0), `deny` (3) or `undecided` (2), and why to stderr. Undecided is everything that is not a
// person's answer: the deadline passed, the question was withdrawn, the broker is lost. Whoever calls this must then decide
// without the person, or ask by another way; silence is neither consent nor refusal. An exit code of
// 1 is that of a program that broke, and says no more than that.
//
// ARC_BROKER_URL         the broker; http://127.0.0.1:47821
// ARC_BROKER_TOKEN_FILE  the file that holds its token; arc-broker.db.token
// ARC_PATIENCE           seconds that a broker may be gone before it is given up; 10

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

type Choice = "allow" | "deny";
type Outcome = "answered" | "expired" | "not_needed";

interface Interaction {
  id: string;
  status: "pending" | "answered" | "expired" | "cancelled" | "superseded";
  response: { choice_id: string | null } | null;
}

/** No person has decided; `outcome` says so to the broker. */
class Undecided extends Error {
  readonly outcome: Outcome;
  constructor(why: string, outcome: Outcome = "not_needed") {
    super(why);
    this.outcome = outcome;
  }
}

/** The broker does not serve now; it may be asked again. */
class Gone extends Error {}

const EXIT_CODES = { allow: 0, deny: 3, undecided: 2 };
const url = process.env.ARC_BROKER_URL ?? "http://127.0.0.1:47821";
const patience = Number(process.env.ARC_PATIENCE ?? 10) * 1000;
const interrupted = new AbortController();

let token = "";
let mayBeOpen = false;

/** The reply's JSON. */
async function call<Reply>(path: string, body?: unknown, longest = 10_000, stop?: AbortSignal): Promise<Reply> {
  const limit = AbortSignal.timeout(longest);
  const signal = stop ? AbortSignal.any([limit, stop]) : limit;
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const request = body === undefined ? { headers, signal } : { method: "POST", headers, signal, body: JSON.stringify(body) };
  let status: number;
  let text: string;
  try {
    const reply = await fetch(url + path, request);
    [status, text] = [reply.status, await reply.text()];
  } catch {
    if (stop?.aborted) throw new Undecided("interrupted");
    throw new Gone("no reply");
  }
  if (status === 429 || status >= 500) throw new Gone(`status ${status}`);
  if (status >= 300) throw new Undecided(`the broker refused (status ${status})`);
  try {
    return JSON.parse(text) as Reply;
  } catch {
    throw new Gone("not the reply of a broker");
  }
}

/** Calls until there is a reply, or the broker has been gone too long. */
async function persist<Reply>(deadline: number, path: string, body?: unknown, longest?: number): Promise<Reply> {
  let givenUp: number | undefined;
  for (;;) {
    try {
      return await call<Reply>(path, body, longest, interrupted.signal);
    } catch (error) {
      if (!(error instanceof Gone)) throw error;
      givenUp ??= Math.min(Date.now() + patience, deadline);
      if (Date.now() >= givenUp) throw new Undecided(`the broker does not serve (${error.message})`);
      await sleep(500);
    }
  }
}

function newEvent(type: string, request: object): object {
  return {
    arc_version: "0.2",
    event_id: `evt_${randomUUID()}`,
    event_type: type,
    occurred_at: new Date().toISOString(),
    sender: { id: "node-hook", name: "Node hook" },
    request,
  };
}

async function decide(key: string, message: string, seconds: number): Promise<Choice> {
  const deadline = Date.now() + seconds * 1000;
  const choices = [{ id: "allow", label: "Allow" }, { id: "deny", label: "Deny" }];
  const response = { kind: "permission", choices, expires_at: new Date(deadline).toISOString() };
  // Made once: the same event again is a retry, and however often it is sent, one question is asked.
  const question = newEvent("request.created", { key, kind: "permission", message, response });
  mayBeOpen = true;
  let { interaction } = await persist<{ interaction: Interaction }>(deadline, "/v1/events", question);
  while (interaction.status === "pending") {
    const left = Math.min(Math.max(1, Math.floor((deadline - Date.now()) / 1000)), 60);
    const path = `/v1/interactions/${interaction.id}/wait?timeout=${left}`;
    interaction = await persist<Interaction>(deadline, path, undefined, (left + 10) * 1000);
  }
  if (interaction.status === "expired") throw new Undecided("nobody answered in time", "expired");
  if (interaction.status !== "answered") throw new Undecided("the question was withdrawn");
  const choice = interaction.response?.choice_id;
  if (choice !== "allow" && choice !== "deny") throw new Undecided("the answer is none of the choices", "answered");
  return choice;
}

/** Takes the question back where it is still open: nobody is to answer what no one waits for. */
async function end(key: string, outcome: Outcome): Promise<void> {
  if (!mayBeOpen) return;
  await call("/v1/events", newEvent("request.resolved", { key, outcome }), 2_000).catch(() => {
    // It expires by itself.
  });
}

async function main(): Promise<void> {
  const [message, seconds] = process.argv.slice(2);
  if (message === undefined) {
    console.error("usage: ask_permission.mts MESSAGE [SECONDS]");
    process.exit(2);
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupted.abort());
  const key = `permission-${randomUUID()}`;
  let [word, outcome]: [Choice | "undecided", Outcome] = ["undecided", "not_needed"];
  try {
    token = readFileSync(process.env.ARC_BROKER_TOKEN_FILE ?? "arc-broker.db.token", "ascii").trim();
    [word, outcome] = [await decide(key, message, Number(seconds ?? 600)), "answered"];
  } catch (error) {
    if (error instanceof Undecided) outcome = error.outcome;
    console.error(`ask_permission: ${error instanceof Error ? error.message : "it failed"}`);
  }
  await end(key, outcome);
  console.log(word);
  process.exitCode = EXIT_CODES[word];
}

await main();
