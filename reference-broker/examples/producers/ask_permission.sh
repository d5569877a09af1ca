#!/bin/sh
# Asks a person for a permission through an ARC broker, and waits for the answer. POSIX shell and curl.
#
#   ask_permission.sh MESSAGE [SECONDS]
#
# Prints `allow` (exit code 0), `deny` (3) or `undecided` (2), and why to stderr. Undecided is everything that is not a
# person's answer: the deadline passed, the question was withdrawn, the broker is lost. Whoever calls this must then
# decide without the person, or ask by another way; silence is neither consent nor refusal. An exit code of 1 is that of a
# program that broke, and says no more than that.
#
# ARC_BROKER_URL         the broker; http://127.0.0.1:47821
# ARC_BROKER_TOKEN_FILE  the file that holds its token; arc-broker.db.token
# ARC_PATIENCE           seconds that a broker may be gone before it is given up; 10
set -u
umask 077

url=${ARC_BROKER_URL:-http://127.0.0.1:47821}
token_file=${ARC_BROKER_TOKEN_FILE:-arc-broker.db.token}
patience=${ARC_PATIENCE:-10}
if [ $# -lt 1 ]; then
    echo 'usage: ask_permission.sh MESSAGE [SECONDS]' >&2
    exit 2
fi
message=$1
seconds=${2:-600}

now() { date +%s; }
instant() { date -u -d "@$1" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || date -u -r "$1" +%Y-%m-%dT%H:%M:%SZ; }
random() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# A text as a JSON string.
json() {
    printf '%s' "$1" | LC_ALL=C awk '
        BEGIN { for (i = 1; i < 32; i++) escape[sprintf("%c", i)] = sprintf("\\u%04x", i); escape["\""] = "\\\""
                escape["\\"] = "\\\\"; printf "\"" }
        NR > 1 { printf "\\n" }
        { for (i = 1; i <= length($0); i++) { c = substr($0, i, 1); printf "%s", c in escape ? escape[c] : c } }
        END { printf "\"" }'
}

# The text of a member of the last reply. A quotation mark inside a text is escaped, so that no text can pass for a member.
member() { sed -n "s/.*\"$1\"[[:space:]]*:[[:space:]]*\"\([A-Za-z0-9_-]*\)\".*/\1/p" "$dir/reply"; }

# The id of the question that the last reply shows, in whatever order its members stand. The choices, which have ids too, are
# this program's own and hold no bracket.
interaction() {
    tr -d '\n' <"$dir/reply" | LC_ALL=C awk '
        { gsub(/"choices"[ \t]*:[ \t]*\[[^]]*\]/, ""); if (!sub(/.*"interaction"[ \t]*:[ \t]*[{]/, "")) exit }
        match($0, /"id"[ \t]*:[ \t]*"[A-Za-z0-9_-]+"/) { id = substr($0, RSTART, RLENGTH); gsub(/.*:[ \t]*|"/, "", id); print id }'
}

# request LONGEST PATH [BODY]: sets `status`, to 000 where there was no reply. The token is in no argument that other users
# of the machine could read. In the background, so that a signal need not wait for it.
request() {
    : >"$dir/reply"
    if [ $# -gt 2 ]; then printf '%s' "$3" >"$dir/body"; set -- "$1" "$2" --data-binary "@$dir/body"; fi
    longest=$1 path=$2
    shift 2
    curl --silent --noproxy '*' --max-time "$longest" --output "$dir/reply" --write-out '%{http_code}' \
        --header "@$dir/headers" "$@" "$url$path" >"$dir/status" &
    curl=$!
    wait "$curl"
    status=$(cat "$dir/status")
    status=${status:-000}
}

# event TYPE REQUEST: an ARC event with an id of its own.
event() {
    printf '{"arc_version":"0.2","event_id":"evt_%s","event_type":"%s","occurred_at":"%s"' "$(random)" "$1" "$(instant "$(now)")"
    printf ',"sender":{"id":"shell-hook","name":"Shell hook"},"request":%s}' "$2"
}

# end OUTCOME WORD CODE [WHY]: takes the question back where it is still open, and says how it went.
end() {
    trap '' INT TERM HUP
    [ -z "$curl" ] || kill "$curl" 2>/dev/null
    [ -z "$asked" ] || request 2 /v1/events "$(event request.resolved "{\"key\":\"$key\",\"outcome\":\"$1\"}")"
    [ $# -lt 4 ] || printf 'ask_permission: %s\n' "$4" >&2
    printf '%s\n' "$2"
    exit "$3"
}

# try_again: after a failure that may pass, until the broker has been gone too long.
try_again() {
    gone_since=${gone_since:-$(now)}
    if [ "$(now)" -ge $((gone_since + patience)) ] || [ "$(now)" -ge "$deadline" ]; then
        end not_needed undecided 2 "the broker does not serve (status $status)"
    fi
    sleep 1
}

asked= curl= gone_since=
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
trap 'end not_needed undecided 2 interrupted' INT TERM HUP
if ! token=$(cat "$token_file"); then end not_needed undecided 2 'there is no token'; fi
printf 'Authorization: Bearer %s\nContent-Type: application/json\n' "$token" >"$dir/headers"

key=permission-$(random)
deadline=$(($(now) + seconds))
question=$(event request.created "{\"key\":\"$key\",\"kind\":\"permission\",\"message\":$(json "$message"),\"response\":{\
\"kind\":\"permission\",\"choices\":[{\"id\":\"allow\",\"label\":\"Allow\"},{\"id\":\"deny\",\"label\":\"Deny\"}],\
\"expires_at\":\"$(instant "$deadline")\"}}")

# The same event again is a retry: however often it is sent, one question is asked.
while :; do
    asked=perhaps
    request 10 /v1/events "$question"
    case $status in
        200 | 201) break ;;
        000 | 429 | 5??) try_again ;;
        *) asked=; end not_needed undecided 2 "the broker refused the question (status $status)" ;;
    esac
done
gone_since=
interaction=$(interaction)

while :; do
    left=$((deadline - $(now)))
    [ "$left" -ge 1 ] || left=1
    [ "$left" -le 60 ] || left=60
    request $((left + 10)) "/v1/interactions/$interaction/wait?timeout=$left"
    case $status in
        200) gone_since= ;;
        000 | 429 | 5??) try_again; continue ;;
        *) end not_needed undecided 2 "the broker does not know the question any more (status $status)" ;;
    esac
    case $(member status) in
        pending) ;;
        answered)
            case $(member choice_id) in
                allow) end answered allow 0 ;;
                deny) end answered deny 3 ;;
                *) end answered undecided 2 'the answer is none of the choices' ;;
            esac ;;
        expired) end expired undecided 2 'nobody answered in time' ;;
        *) end not_needed undecided 2 'the question was withdrawn' ;;
    esac
done
