"""Checks a receipt or a statement of Quittance with Python's standard library alone. Shares no code with quittance-verify.
Usage: verify.py PROOF.json ISSUER.json NODE_URL [STATEMENT.csv]
Exit code: 0 genuine, 1 not genuine, 2 could not be checked, 64 wrong usage."""
import base64, collections, datetime, functools, hashlib, json, re, sys, urllib.request
from decimal import Decimal
BUBBLEGUM = "BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY"  # mints compressed NFTs
COMPRESSION = "mcmt6YrQEMKw8Mw43FmpRLmf7BqRnFMKmAcbxE3xkAW"  # keeps their trees
SOL = (None, "native SOL", "So11111111111111111111111111111111111111112")  # native and wrapped are one token
class Wrong(Exception): """The evidence contradicts the document; any other exception decides nothing."""
class Traits(dict):
    def __missing__(self, name): raise Wrong(f"the metadata has no '{name}'")
def must(held, why):
    if not held: raise Wrong(why)
# --- Base58, Keccak-256 (SHA-3 before NIST changed its padding), Ed25519 (RFC 8032) ---
DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
def to58(data):
    number, text = int.from_bytes(data, "big"), ""
    while number: number, text = number // 58, DIGITS[number % 58] + text
    return "1" * (len(data) - len(data.lstrip(b"\0"))) + text
def from58(text):
    number = functools.reduce(lambda sum, digit: sum * 58 + DIGITS.index(digit), text, 0)
    return bytes(len(text) - len(text.lstrip("1"))) + number.to_bytes((number.bit_length() + 7) // 8, "big")
def name_of(uri): return uri.split("/")[-1]
def sha256(data): return hashlib.sha256(data).digest()
def keccak(*parts):
    data, a = bytearray(b"".join(parts) + b"\1"), [0] * 25  # the lane at x, y is a[x + 5 * y], 64 bits
    data += bytes(-len(data) % 136); data[-1] |= 0x80
    turn = lambda lane, by: (lane << by % 64 | lane >> 64 - by % 64) & (1 << 64) - 1
    for start in range(0, len(data), 136):
        for i in range(17): a[i] ^= int.from_bytes(data[start + 8 * i:start + 8 * i + 8], "little")
        shift = 1
        for _ in range(24):
            c = [a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5)]
            a = [a[i] ^ c[(i + 4) % 5] ^ turn(c[(i + 1) % 5], 1) for i in range(25)]; x, y, lane = 1, 0, a[1]
            for t in range(1, 25): x, y = y, (2 * x + 3 * y) % 5; lane, a[x + 5 * y] = a[x + 5 * y], turn(lane, t * (t + 1) // 2)
            a = [a[i] ^ ~a[i // 5 * 5 + (i + 1) % 5] & a[i // 5 * 5 + (i + 2) % 5] for i in range(25)]
            for bit in range(7): shift = (shift << 1 ^ (shift >> 7) * 0x71) % 256; a[0] ^= (shift >> 1 & 1) << (1 << bit) - 1
    return b"".join(lane.to_bytes(8, "little") for lane in a[:4])
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
def point(data):
    y = int.from_bytes(data, "little") & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P; x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P: x = x * pow(2, (P - 1) // 4, P) % P
    must(y < P and (x * x - square) % P == 0, "no point of the curve")
    return (P - x if x % 2 != data[31] >> 7 else x), y
def add(p, q):
    cross = D * p[0] * q[0] * p[1] * q[1] % P
    return ((p[0] * q[1] + p[1] * q[0]) * pow(1 + cross, -1, P) % P, (p[1] * q[1] + p[0] * q[0]) * pow(1 - cross, -1, P) % P)
def times(n, p): return (0, 1) if n == 0 else add(times(n // 2, add(p, p)), p if n % 2 else (0, 1))
def is_signed(key, message, signature):
    s, base = int.from_bytes(signature[32:], "little"), point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return s < ORDER and times(s, base) == add(point(signature[:32]), times(h, point(key)))
# --- The issuer's document and the node ---
def instant(text): return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
def in_use(kind, value, at, minted=lambda: None):  # the chain's time counts as well: the issuer states the other
    for one in ISSUER[kind]:  # clocks differ by minutes: ten are allowed at both ends, none at that of a revoked key
        end = instant(one["used_until"] or "9999-01-01T00:00:00Z") + (0 if one.get("revoked_at") else 600)
        held = lambda time: instant(one["used_from"]) - 600 <= time <= end
        if value in (one.get("public_key"), one.get("address")) and held(at):
            if held(max(at, (minted() or at) - (0 if one.get("revoked_at") else 86400))): return  # a file may wait a day
            if not one.get("revoked_at"): raise LookupError(f"{value} had ended more than a day before the mint")
    raise Wrong(f"{value} was not among the issuer's {kind} at that time")
def ask(method, *params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    request = urllib.request.Request(RPC, body, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer: told = json.load(answer).get("result")
    if told is None: raise LookupError(f"the node does not answer {method}")
    return told
def transaction(signature):
    tx = ask("getTransaction", signature, {"encoding": "json", "commitment": "confirmed", "maxSupportedTransactionVersion": 0})
    if tx["transaction"]["signatures"][0] != signature: raise LookupError("the node gave another transaction")
    must(tx["meta"]["err"] is None, f"transaction {signature} failed")
    more = tx["meta"].get("loadedAddresses") or {"writable": [], "readonly": []}
    return tx, tx["transaction"]["message"]["accountKeys"] + more["writable"] + more["readonly"]
# --- The files: ANS-104 items, signed over the text of Arweave's deep hash ---
def open_item(file):
    raw = base64.b64decode(file["item"])
    tags = 148 if raw[99] else 116  # where the tags begin: an anchor of 32 bytes is optional; ours have no target
    signature, owner, data = raw[2:66], raw[66:98], raw[tags + int.from_bytes(raw[tags - 8:tags], "little"):]
    sha384 = lambda *parts: hashlib.sha384(b"".join(parts)).digest(); deep = sha384(b"list8")
    for part in (b"dataitem", b"1", b"4", owner, b"", raw[100:tags - 16], raw[tags:len(raw) - len(data)], data):
        deep = sha384(deep, sha384(sha384(b"blob%d" % len(part)), sha384(part)))
    must(raw[:2] == b"\4\0" and raw[98] == 0 and is_signed(owner, deep.hex().encode(), signature), "the file is not signed")
    must((name_of(file["uri"]), file["sha256"]) == (to58(sha256(signature)), sha256(data).hex()), "the file has another id")
    return data, to58(owner)
def check_files():
    (facts, one), (_, other) = open_item(DOC["metadata"]), open_item(DOC["image"]); told = json.loads(facts)
    TRAITS.update({each["trait_type"]: each["value"] for each in told["attributes"]}, name=told["name"])
    must(len(TRAITS) == len(told["attributes"]) + 1, "the metadata has one trait twice")
    must(name_of(told["image"]) == name_of(DOC["image"]["uri"]), "the metadata names another image")
    minted = lambda: transaction(DOC["mint_signature"])[0]["blockTime"]
    for key in {one, other}: in_use("storage_keys", key, instant(TRAITS["Issued at (UTC)"]), minted)
    real = "local test chain" if ISSUER["network"] == "local" else "solana:" + ask("getGenesisHash")[:32]
    must(TRAITS["Network"] == real, "it is of another network")
    return f"signed by {one} for {ISSUER['url']}"
# --- The NFT: its hashes, its mint, its place in the tree ---
def leaf_hash(owner, delegate):
    hashes = [from58(DOC["leaf"][name + "_hash"]) for name in ("data", "creator", "collection", "asset_data")]
    return keccak(b"\2", from58(DOC["asset_id"]), from58(owner), from58(delegate or owner),
                  DOC["leaf"]["nonce"].to_bytes(8, "little"), *hashes, bytes([DOC["leaf"]["flags"]]))
def check_mint():
    leaf, creator = DOC["leaf"], from58(DOC["creator"]) + b"\1\x64"  # verified, with a share of 100
    tx, keys = transaction(DOC["mint_signature"])
    own = [one["address"] for one in ISSUER["collections"] if to58(keccak(from58(one["address"]))) == leaf["collection_hash"]]
    must(own or leaf["collection_hash"] == to58(keccak(bytes(32))), "its collection is not the issuer's")
    for kind, value in [("creators", DOC["creator"]), ("trees", DOC["tree"]), *(("collections", one) for one in own)]:
        in_use(kind, value, tx["blockTime"])
    text = lambda value: len(value.encode()).to_bytes(4, "little") + value.encode()
    arguments = (text(TRAITS["name"]) + text("RCPT") + text(DOC["metadata"]["uri"]) + bytes(4) + b"\1\0\1\0\0\0"
                 + creator + (b"\1" + from58(own[0]) if own else b"\0"))
    must(to58(keccak(keccak(arguments), bytes(2))) == leaf["data_hash"], "the NFT names other metadata")
    must(to58(keccak(creator)) == leaf["creator_hash"], "the NFT has another creator")
    append = bytes.fromhex("957812deece158cb") + leaf_hash(leaf["owner"], leaf["delegate"])
    is_mint = lambda top: keys[top["programIdIndex"]] == BUBBLEGUM and from58(top["data"])[:8].hex() == "78791792ad6ec7cd"  # mint_v2
    inside = [one for group in tx["meta"]["innerInstructions"] for one in group["instructions"]
              if is_mint(tx["transaction"]["message"]["instructions"][group["index"]]) and keys[one["programIdIndex"]] == COMPRESSION]
    must(any(from58(one["data"])[:40] == append and keys[one["accounts"][0]] == DOC["tree"] for one in inside),
         "the mint transaction did not append this leaf")
    return f"minted by {DOC['creator']}"
def check_tree():
    if DOC["proof"] is None: raise LookupError("this proof has no path in the tree: use quittance-verify")
    node = bytes(32) if DOC.get("burnt") else leaf_hash(DOC["holder"]["owner"], DOC["holder"]["delegate"])
    for level, sibling in enumerate(map(from58, DOC["proof"])):
        node = keccak(sibling, node) if DOC["leaf"]["nonce"] >> level & 1 else keccak(node, sibling)
    must(to58(node) == DOC["root"], "the path does not lead to the root")
    account = ask("getAccountInfo", DOC["tree"], {"encoding": "base64", "commitment": "confirmed"})["value"]
    data, stride = base64.b64decode(account["data"][0]), 40 + 32 * len(DOC["proof"])  # each change: root, path, index
    must(account["owner"] == COMPRESSION and data[6] == len(DOC["proof"]), "the path is of another tree")
    newest, kept = (int.from_bytes(data[at:at + 8], "little") for at in (64, 72))  # an older root may show the time before the mint
    if node not in [data[80 + i * stride:112 + i * stride] for i in ([newest] if DOC.get("burnt") else range(kept))]:
        raise LookupError("the tree no longer remembers this root: fetch a new proof")
    return "burnt by its holder" if DOC.get("burnt") else f"held by {DOC['holder']['owner']}"
# --- Payments: how the balances changed ---
def check_payment(signature, payer, receiver, mint, amount, slot, time):
    tx, keys = transaction(signature)
    must((tx["slot"], tx["blockTime"]) == (int(slot), instant(time)), f"slot or time of {signature} is another")
    change, mints = collections.Counter({(keys[0], None): tx["meta"]["fee"]}), SOL if mint in SOL else (mint,)
    for sign, side in ((-1, "pre"), (1, "post")):
        for one in tx["meta"][side + "TokenBalances"]:
            change[one["owner"], one["mint"]] += sign * int(one["uiTokenAmount"]["amount"])
        for key, lamports in zip(keys, tx["meta"][side + "Balances"]): change[key, None] += sign * lamports
    got = sum(change[receiver, one] for one in mints)
    if mint in SOL and got != amount: raise LookupError("rent moved with the SOL: this reader does not tell them apart")
    must(got == amount, f"{receiver} got {got}, not {amount}")
    if len({who for (who, what), moved in change.items() if what in mints and moved < 0}) > 1:
        raise LookupError("several gave this token: this reader does not tell who paid whom")
    must(any(who == payer and moved < 0 for (who, _), moved in change.items()), f"{payer} gave nothing")
    return f"{amount} base units from {payer} to {receiver}"
def check_par(basis, amount, decimals, micros):
    must(basis != "par" or (2 * amount * 10**6 + 10**decimals) // (2 * 10**decimals) == micros, "the value is not par")
def check_receipt():
    said = [TRAITS[name] for name in ("Receipt ID", "Transaction", "Payer", "Seller", "Mint", "Slot", "Paid at (UTC)")]
    must([DOC["receipt_id"], DOC["tx_signature"], DOC["leaf"]["owner"]] == said[:3], "it is another receipt, or another owner's")
    amount, decimals = int(TRAITS["Amount in base units"]), int(TRAITS["Decimals"])
    must(Decimal(TRAITS["Amount"]).scaleb(decimals) == amount, "its two amounts differ")
    check_par(TRAITS["Basis of USD value"], amount, decimals, Decimal(TRAITS["Value in USD"]).scaleb(6))
    return check_payment(*said[1:5], amount, *said[5:])
# --- Statements: the rows, their sums, their Merkle root (RFC 6962), each payment ---
def canonical(item):  # RFC 8785 for a flat object: keys in order, numbers as JavaScript writes them
    plain = lambda x: re.sub(r"\.0$", "", format(Decimal(repr(x)), "f") if 1e-6 <= x < 1e21 else repr(x).replace("e-0", "e-"))
    text = lambda x: plain(x) if isinstance(x, float) else json.dumps(x, ensure_ascii=False)
    return "{%s}" % ",".join(f"{text(key)}:{text(item[key])}" for key in sorted(item))
def check_rows():
    must((DOC["statement_id"], DOC["leaf"]["owner"]) == (TRAITS["Statement ID"], TRAITS["Wallet"]), "it is another statement")
    rows, sums = DOC["transactions"], collections.Counter(); level = [sha256(b"\0" + canonical(row).encode()) for row in rows]
    while len(level) > 1:
        level = [sha256(b"\1" + b"".join(level[i:i + 2])) if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]
    must(level[0].hex() == TRAITS["Merkle root of the rows"], "the rows lead to another root")
    for row in rows:
        amount, micros, word = int(row["amount_raw"]), int(row["usd_amount_raw"]), {"payer": "Paid", "seller": "Received"}[row["role"]]
        check_par(row["valuation"], amount, row["decimals"], micros)
        sums[f"{word} in {row['token']}"] += Decimal(amount).scaleb(-row["decimals"])
        for name in (f"{word} in USD", "Turnover in USD"): sums[name] += Decimal(micros).scaleb(-6)
    told = {name: Decimal(text) for name, text in TRAITS.items() if re.match("(Paid|Received|Turnover) in ", name)}
    must(all(sums[name] == told.get(name, 0) for name in {*sums, *told}), "the sums are not those of the rows")
    must(str(len({row["tx_signature"] for row in rows})) == TRAITS["Transactions"], "it counts other transactions")
    once = {(row["tx_signature"], row["counterparty"], SOL[0] if row["mint"] in SOL else row["mint"]) for row in rows}
    must(len(once) == len(rows), "it lists one payment twice")
def check_row(row):
    sides = [TRAITS["Wallet"], row["counterparty"]][::1 if row["role"] == "payer" else -1]
    return check_payment(row["tx_signature"], *sides, row["mint"], int(row["amount_raw"]), row["slot"], row["block_time"])
def check_csv(): must(sha256(open(CSV[0], "rb").read()).hex() == TRAITS["SHA-256 of the CSV"], "it is another CSV")
# --- The verdict ---
if len(sys.argv) not in (4, 5): sys.exit(print(__doc__) or 64)
(proof, keys, RPC), CSV, TRAITS, outcomes = sys.argv[1:4], sys.argv[4:], Traits(), set()
try: DOC, ISSUER = (json.load(open(name, "rb")) for name in (proof, keys)); rows = list(DOC.get("transactions", []))
except Exception as why: sys.exit(print(f"unknown  read     {ascii(str(why))[1:-1]}\ncould not be checked") or 2)
checks = [("files", check_files), ("mint", check_mint), ("tree", check_tree)]
if "receipt_id" in DOC: checks += [("payment", check_receipt)]
else: checks += [("rows", check_rows)] + [("payment", lambda row=row: check_row(row)) for row in rows]
for name, check in checks + [("csv", check_csv)] * len(CSV):
    try: outcome, detail = "held", check() or ""
    except Wrong as why: outcome, detail = "failed", why
    except Exception as why: outcome, detail = "unknown", why  # a broken answer says nothing against the document
    outcomes.add(outcome)
    print(f"{outcome:8} {name:8} {ascii(str(detail))[1:-1]}")  # as text: nothing in it moves a cursor
verdict = 1 if "failed" in outcomes else 2 if "unknown" in outcomes else 0
sys.exit(print(("genuine", "not genuine", "could not be checked")[verdict]) or verdict)
