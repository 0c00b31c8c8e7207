// The playground's page. It decides nothing: it draws the state that the phone tells, and posts what is touched. What is a text of
// the library comes with the state, in the phone's language; here are only the playground's own labels.
"use strict";
(() => {
const LABELS = {
    en: {
        title: "Thumbturn playground", simulated: "simulated device", protects: "It protects nothing: use test secrets only.",
        phone: "Phone", world: "The world", inside: "Inside", tours: "Tours", skipPhone: "Skip to the phone",
        language: "Language", worldHint: "What happens to the phone: press one and watch. New here? Take a tour.",
        insideHint: "What the vault is doing now, as the library's own machines say it.",
        finger: "Answer the prompt", sensor: "Sensor", device: "Phone", time: "Time", fate: "Mishaps",
        match: "Right finger", mismatch: "Wrong finger", matchFace: "Right face", mismatchFace: "Wrong face",
        cancelFinger: "Dismiss", passcode: "Phone passcode",
        lockout: "Sensor lockout", faceSensor: "Use a face camera",
        touchSensor: "Use a finger reader", enroll: "Enrol one more", passcodeOff: "Remove passcode", passcodeOn: "Set a passcode",
        isPasscodeOn: "passcode on", isPasscodeOff: "no passcode", enrolled: "enrolled: %@", isLockedOut: "sensor locked out",
        isFailing: "the next save fails",
        lockDevice: "Lock the phone", unlockDevice: "Unlock phone", reboot: "Reboot", minutes31: "31 min later",
        minutes5: "5 min later", hours4: "4 h later", clockBack: "Clock back a day", reinstall: "Reinstall the app", formerApp: "Old app's wallet",
        elsewhere: "Restore elsewhere", fault: "Next save fails", kill: "Kill the app now",
        serviceAway: "Service out of reach", serviceBack: "Service back",
        waits: "The phone waits for a touch", waitsFace: "The phone waits for a face", notLocked: "Hidden, not locked: it opens again without a finger.", killed: "The app is not running.", start: "Start the app", app: "Wallet",
        deviceLocked: "The phone is locked.", noServer: "The playground does not answer. Trying again…",
        noToken: "This page has no token. Open the address that the playground printed.",
        create: "New wallet", importOne: "Import a wallet", words: "Words",
        wallets: "Wallets", security: "Security", noWallets: "No wallet yet.", add: "Add", name: "Name",
        back: "Back", lock: "Lock", background: "Leave the app", foreground: "Back to the app",
        making: "One moment…", former: "Move a former app's wallet", settings: "Settings", newPhone: "Start over",
        machines: "Machines", slots: "Ways in", slotsHint: "Each box holds the same master key, wrapped once more.",
        open: "open", closed: "closed", revoked: "revoked", absent: "not there", rule: "What the policy says to the next finger", order: "The rules, in the order in which the policy looks at them",
        ledger: "Attempts", failures: "Wrong PINs", prompts: "Failed prompts", nextNow: "The next try is answered at once.",
        nextIn: "Next try in", suspended: "No more tries: only the recovery key opens it.", trail: "Trail", noTrail: "Nothing yet.",
        verify: "Verify an export", again: "Verify again", exportLabel: "The export. Change a letter by hand.",
        change: "Change a letter for me", whole: "Whole: every record follows from the one before, and one key signed it. Compare that key with the phone's.",
        broken: "Broken at record", brokenAny: "Broken", notJudged: "Not verified.", notTried: "not tried: the device's part is missing", thief: "A thief", tries: "Try these PINs",
        thiefHint: "He has a copy of the file. What does a PIN cost him, and what does it give?",
        pins: "PINs to try, with spaces between", onCopy: "the copy alone", onPhone: "copy and device", attempt: "Try",
        where: "Where", cost: "Cost", gave: "Gave", nothing: "nothing", opened: "the vault", million: "With the device too, and a counter that he could set back, all 1,000,000 PINs take on this computer",
        withAccount: "With an account", noService: "No thumbturnd is installed here: the phone with an account is left out.",
        otherDevice: "Your other device", presentPassword: "The account's password", newPassword: "A new password",
        changeElsewhere: "Change it there", revokeElsewhere: "Remove this phone there",
        next: "Next", leave: "Leave the tour", restart: "From the start", play: "Play", pause: "Pause", step: "Step",
        documents: "The documents' flows", attacks: "Attacks", stuck: "The phone did not get there.", ended: "That was the tour.",
        seconds: "s", minutes: "min", hours: "h", days: "days", refused: "Refused", now: "now", boot: "since boot",
        diagram: "States of the machine", "machine-unlock": "Unlock", "machine-biometrics": "Biometrics",
        "machine-attempts": "Attempts", "machine-migration": "Migration", "machine-credentials": "Credentials", none: "none", of: "of", hide: "Hide",
    },
    fr: {
        title: "Bac à sable Thumbturn", simulated: "appareil simulé", protects: "Il ne protège rien : secrets d'essai uniquement.",
        phone: "Téléphone", world: "Le monde", inside: "À l'intérieur", tours: "Visites guidées", skipPhone: "Aller au téléphone",
        language: "Langue", worldHint: "Ce qui arrive au téléphone : appuyez et regardez. Première fois ? Suivez une visite.",
        insideHint: "Ce que fait le coffre en ce moment, selon les machines de la bibliothèque.",
        finger: "Répondre à l'invite", sensor: "Capteur", device: "Téléphone", time: "Temps", fate: "Incidents",
        match: "Bon doigt", mismatch: "Mauvais doigt", matchFace: "Bon visage", mismatchFace: "Mauvais visage",
        cancelFinger: "Fermer l'invite", passcode: "Code du téléphone",
        lockout: "Bloquer le capteur", faceSensor: "Caméra (visage)",
        touchSensor: "Lecteur (doigt)", enroll: "En ajouter un", passcodeOff: "Retirer son code", passcodeOn: "Mettre un code",
        isPasscodeOn: "code du téléphone mis", isPasscodeOff: "téléphone sans code", enrolled: "enregistrés : %@", isLockedOut: "capteur bloqué",
        isFailing: "le prochain enregistrement échoue",
        lockDevice: "Verrouiller", unlockDevice: "Déverrouiller", reboot: "Redémarrer",
        minutes31: "31 min plus tard", minutes5: "5 min plus tard", hours4: "4 h plus tard",
        clockBack: "Un jour en arrière", reinstall: "Réinstaller l'app", formerApp: "Ancienne app", elsewhere: "Restaurer ailleurs",
        fault: "Échec à venir", kill: "Tuer l'app", serviceAway: "Service injoignable", serviceBack: "Service de retour",
        waits: "Le téléphone attend un doigt", waitsFace: "Le téléphone attend un visage",
        notLocked: "Masqué, pas verrouillé : il se rouvre sans doigt.", killed: "L'app ne tourne pas.", start: "Lancer l'app", app: "Portefeuille",
        deviceLocked: "Le téléphone est verrouillé.", noServer: "Le bac à sable ne répond pas. Nouvel essai…",
        noToken: "Cette page n'a pas de jeton. Ouvrez l'adresse que le bac à sable a affichée.",
        create: "Nouveau portefeuille", importOne: "Importer un portefeuille", words: "Mots",
        wallets: "Portefeuilles", security: "Sécurité",
        noWallets: "Aucun portefeuille.", add: "Ajouter", name: "Nom", back: "Retour",
        lock: "Verrouiller", background: "Quitter l'app", foreground: "Revenir à l'app", making: "Un instant…",
        former: "Reprendre le portefeuille d'une ancienne app", settings: "Réglages", newPhone: "Tout recommencer",
        machines: "Machines", slots: "Accès", slotsHint: "Chaque boîte contient la même clé maîtresse, scellée une fois de plus.",
        open: "ouverte", closed: "fermée", revoked: "révoquée", absent: "absente", rule: "Ce que la politique dit au prochain doigt",
        order: "Les règles, dans l'ordre où la politique les regarde",
        ledger: "Essais", failures: "Codes erronés", prompts: "Invites échouées", nextNow: "Le prochain essai a lieu tout de suite.",
        nextIn: "Prochain essai dans", suspended: "Plus d'essai : seule la clé de secours ouvre.", trail: "Journal",
        noTrail: "Rien encore.", verify: "Vérifier une exportation", again: "Vérifier encore",
        exportLabel: "L'exportation. Changez une lettre à la main.", change: "Changer une lettre pour moi",
        whole: "Entière : chaque entrée découle de la précédente, et une clé l'a signée. Comparez cette clé à celle du téléphone.", broken: "Rompue à l'entrée", brokenAny: "Rompue", notJudged: "Pas vérifiée.", notTried: "pas essayé : il manque la part de l'appareil",
        thief: "Un voleur", tries: "Essayer ces codes",
        thiefHint: "Il a une copie du fichier. Que lui coûte un code, et que lui donne-t-il ?",
        pins: "Codes à essayer, séparés par des espaces", onCopy: "la copie seule", onPhone: "copie et appareil", attempt: "Essai",
        where: "Où", cost: "Coût", gave: "A donné", nothing: "rien", opened: "le coffre",
        million: "Avec l'appareil aussi, et un compteur qu'il saurait remettre, le million de codes prend sur cet ordinateur",
        withAccount: "Avec un compte", noService: "thumbturnd n'est pas installé ici : le téléphone avec un compte est omis.",
        otherDevice: "Votre autre appareil", presentPassword: "Le mot de passe du compte", newPassword: "Un nouveau mot de passe",
        changeElsewhere: "Le changer là-bas", revokeElsewhere: "Retirer ce téléphone là-bas", next: "Suivant", leave: "Quitter la visite", restart: "Depuis le début",
        play: "Lecture", pause: "Pause", step: "Étape", documents: "Les parcours des documents", attacks: "Attaques",
        stuck: "Le téléphone n'y est pas arrivé.", ended: "La visite est terminée.", seconds: "s", minutes: "min", hours: "h",
        days: "jours", refused: "Refusé", now: "maintenant", boot: "depuis le démarrage", diagram: "États de la machine",
        "machine-unlock": "Déverrouillage", "machine-biometrics": "Biométrie", "machine-attempts": "Essais",
        "machine-migration": "Migration", "machine-credentials": "Identifiants",
        none: "aucun", of: "sur", hide: "Masquer",
    },
};

// How the machines are drawn: a place for each state, and the ways between them. A state without a place is drawn all the same, in
// a row below, and marked; a test looks for the mark.
const MACHINES = {
    unlock: {
        places: {
            locked: [0, 2], promptingBiometrics: [1, 1], biometricsFailed: [2, 0], requiresStrongFactor: [1, 2],
            verifyingStrongFactor: [2, 2], promptingSystem: [1, 3], closedUntilReopened: [2, 4], unlocked: [3, 2],
        },
        ways: [
            ["locked", "promptingBiometrics"], ["locked", "requiresStrongFactor"], ["locked", "promptingSystem"],
            ["promptingBiometrics", "biometricsFailed"], ["promptingBiometrics", "requiresStrongFactor"],
            ["promptingBiometrics", "unlocked", "around"], ["requiresStrongFactor", "verifyingStrongFactor"],
            ["verifyingStrongFactor", "unlocked"], ["promptingSystem", "closedUntilReopened"],
            ["promptingSystem", "unlocked", "around"], ["unlocked", "locked", "below"],
        ],
        box: { width: 152, height: 38, across: 186, down: 51, below: 24 },
    },
    biometrics: {
        places: { disabled: [0, 0], enabling: [1, 0], enabled: [2, 0], revoked: [3, 0] },
        ways: [["disabled", "enabling"], ["enabling", "enabled"], ["enabled", "revoked"]],
    },
    migration: {
        places: { legacy: [0, 0], half: [1, 0], erasing: [2, 0], full: [3, 0] },
        ways: [["legacy", "half"], ["half", "erasing"], ["erasing", "full"]],
    },
    attempts: {
        places: { allowed: [0, 0], wait: [1, 0], suspended: [2, 0] },
        ways: [["allowed", "wait"], ["wait", "suspended"]],
    },
    credentials: {
        places: { unavailable: [0, 1], ready: [0, 0], keychainSecured: [1, 0], biometricsSecured: [2, 0], locked: [3, 0] },
        ways: [
            ["unavailable", "ready"], ["ready", "keychainSecured"], ["keychainSecured", "biometricsSecured"],
            ["biometricsSecured", "locked"],
        ],
    },
};

// What the world can do: a word of `simulate`, or a path of its own.
const WORLD = [
    ["finger", [["match", "finger match"], ["mismatch", "finger mismatch"], ["cancelFinger", "finger cancel"],
        ["passcode", "finger passcode"]]],
    ["sensor", [["enroll", "enroll"], ["lockout", "lockout"], ["faceSensor", "sensor face"], ["touchSensor", "sensor touch"]]],
    ["device", [["lockDevice", "lock-device"], ["unlockDevice", "unlock-device"], ["passcodeOff", "passcode-off"],
        ["passcodeOn", "passcode-on"], ["reboot", "reboot"]]],
    ["time", [["minutes5", "advance 5m"], ["minutes31", "advance 31m"], ["hours4", "advance 4h"], ["clockBack", "clock -1d"]]],
    ["fate", [["formerApp", "legacy wallet"], ["reinstall", "reinstall"], ["elsewhere", "restore-elsewhere"],
        ["serviceAway", "service away"], ["serviceBack", "service back"], ["fault", "fault save-fails"], ["kill", "/kill"]]],
];

// ---------------------------------------------------------------------------------------------------------------- elements

const SVG = "http://www.w3.org/2000/svg";
const HANDLERS = ["onclick", "onsubmit", "oninput", "onkeydown", "onchange", "ontoggle"];

function element(made, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
        if (value === null || value === undefined || value === false) continue;
        if (HANDLERS.includes(name)) made[name] = value;
        else if (name === "k") made.setAttribute("data-k", value);
        else made.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children.flat(9)) {
        if (child === null || child === undefined || child === false || child === "") continue;
        made.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
    return made;
}
const h = (tag, attributes, ...children) => element(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) => element(document.createElementNS(SVG, tag), attributes, children);

// Makes an element like another one, and keeps what stays: the focus, a text that is being typed, a record that is open.
function morph(from, to) {
    for (const { name } of [...from.attributes]) {
        if (!to.hasAttribute(name) && !(name === "open" && from.tagName === "DETAILS")) from.removeAttribute(name);
    }
    for (const { name, value } of [...to.attributes]) if (from.getAttribute(name) !== value) from.setAttribute(name, value);
    for (const name of HANDLERS) if (from[name] !== to[name]) from[name] = to[name];
    fill(from, [...to.childNodes]);
}
const keyOf = (node) => (node.nodeType === 1 ? node.getAttribute("data-k") : null);
const isLike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

function fill(parent, wanted) {
    let place = parent.firstChild;
    for (const next of wanted) {
        let found = place;
        if (found && !isLike(found, next)) {
            found = keyOf(next) === null ? null : [...parent.childNodes].find((node) => isLike(node, next));
            if (found) parent.insertBefore(found, place);
        }
        if (!found) {
            parent.insertBefore(next, place);
            continue;
        }
        if (found === place) place = place.nextSibling;
        if (found.nodeType === 3) {
            if (found.data !== next.data) found.data = next.data;
        } else morph(found, next);
    }
    while (place) {
        const after = place.nextSibling;
        place.remove();
        place = after;
    }
}
const put = (id, ...children) => fill(document.getElementById(id), children.flat(9).filter((child) => child));

// ------------------------------------------------------------------------------------------------------------ what is known

let state = null;
let revision = 0;
let trouble = "starting";
let arrived = 0;
let tours = null;
let hasService = true;
let isServiceAway = false;
const ui = {
    tab: "wallets", question: null, form: null, shown: null, busy: 0, refusal: null,
    before: {}, now: {}, word: null, verifier: null, thief: null, other: null, tour: null, look: null,
    screen: "", language: null, tells: 0, wasOn: false,
};

const french = () => String(state?.host?.language ?? navigator.language).startsWith("f");
const screens = () => state?.host?.screens ?? {};
// What opens the vault: a PIN, or an account's password.
const isPassword = () => nameOf(state?.host?.secret) === "password";
const enterSecret = () => w(isPassword() ? "enterPassword" : "enterPIN");
const t = (key) => LABELS[french() ? "fr" : "en"][key] ?? key;
const ours = (words) => (words ? words[french() ? "fr" : "en"] : "");

// A text of the library. One that the state lacks is shown in brackets, so that a test and a reader see it.
function w(key, value) {
    const text = state?.words?.[key];
    return text === undefined ? `⟨${key}⟩` : unbroken(text.replace("%@", value ?? ""));
}

// No line of French begins with its double punctuation.
const unbroken = (text) => (french() ? text.replace(/ ([:;?!])/g, "\u00a0$1") : text);


// The name of a case, whether it has values beside it or not.
function nameOf(value) {
    if (value === null || value === undefined) return "";
    if (typeof value !== "object") return String(value);
    return String(value.name ?? value.kind ?? value.step ?? value.case ?? "");
}

function at(path, from = state) {
    let value = path === "" ? from : undefined;
    let place = from;
    for (const part of path.split(".")) {
        if (place === null || place === undefined) return place;
        place = Array.isArray(place) && Number.isNaN(Number(part)) && part !== "length"
            ? place.find((one) => nameOf(one) === part)
            : place[part];
        value = place;
    }
    return value;
}

// -------------------------------------------------------------------------------------------------------------- the server

const encoder = new TextEncoder();

async function post(path, line, secret) {
    const head = encoder.encode(line === undefined ? "" : JSON.stringify(line) + (secret || path === "/act" ? "\n" : ""));
    const body = new Uint8Array(head.length + (secret ? secret.length : 0));
    body.set(head);
    if (secret) {
        body.set(secret, head.length);
        secret.fill(0);
    }
    ui.busy += 1;
    try {
        const answer = await fetch(path, {
            method: "POST", body, credentials: "same-origin", cache: "no-store",
            headers: { "content-type": secret || path === "/act" ? "application/octet-stream" : "application/json" },
        });
        if (answer.status === 403) throw new Error("token");
        const read = await answer.json();
        // A refusal of the server is none of the phone, and no result either.
        if (!answer.ok) return { error: { code: read.code ?? `HTTP ${answer.status}`, message: read.detail ?? read.title ?? "" } };
        return read.answer ?? read;
    } catch (error) {
        if (error.message === "token") trouble = "token";
        return { error: { code: "", message: t(error.message === "token" ? "noToken" : "noServer") } };
    } finally {
        body.fill(0);
        ui.busy -= 1;
    }
}

// Posts an action of a screen. Bytes that are given are wiped once they are sent.
async function act(screen, name, values, secret) {
    ui.refusal = null;
    const line = { act: { screen, name, ...values, ...(secret ? { secret: "taken" } : {}) } };
    const answer = await post("/act", line, secret);
    if (answer.error) ui.refusal = answer.error;
    draw();
    return answer;
}

async function world(word) {
    ui.refusal = null;
    tellLanguage();
    const answer = word.startsWith("/") ? await post(word, {}) : await post("/world", { word });
    if (answer.error) ui.refusal = answer.error;
    draw();
    return answer;
}

async function startNew(kind = "new") {
    ui.refusal = null;
    ui.verifier = null;
    ui.thief = null;
    ui.other = null;
    [ui.before, ui.now] = [{}, {}];
    tellLanguage();
    const answer = await post("/start", { [kind]: true });
    if (answer.error) ui.refusal = answer.error;
    draw();
    return answer;
}

const wait = (span) => new Promise((go) => setTimeout(go, span));

async function follow() {
    for (let failures = 0; ;) {
        try {
            const answer = await fetch(`/state?after=${revision}`, { credentials: "same-origin", cache: "no-store" });
            if (answer.status === 403) throw new Error("token");
            if (!answer.ok) throw new Error("silent");
            const read = await answer.json();
            failures = 0;
            trouble = null;
            hasService = read.hasService !== false;
            isServiceAway = read.isServiceAway === true;
            if (read.revision !== revision || !state) {
                revision = read.revision;
                take(read.state);
            } else if (document.body.dataset.trouble) draw();
        } catch (error) {
            trouble = error.message === "token" ? "token" : "silent";
            failures += 1;
            draw();
            // A server that is started again counts from the start.
            revision = 0;
            await wait(Math.min(500 * failures, 4000));
        }
    }
}

function take(next) {
    state = next;
    arrived = performance.now();
    for (const machine of state.inside?.machines ?? []) {
        const now = nameOf(machine.now);
        if (ui.now[machine.name] !== now) {
            ui.before[machine.name] = ui.now[machine.name];
            ui.now[machine.name] = now;
        }
    }
    const unlock = screens().unlock;
    const screen = [state.app?.isRunning, nameOf((screens().account ?? screens().app)?.screen), nameOf(unlock?.screen), unlock?.isCovered].join();
    if (screen !== ui.screen) forget();
    ui.screen = screen;
    if (ui.tells && performance.now() < ui.tells && state.app?.isRunning && ui.language && state.host?.language !== ui.language) {
        ui.tells = 0;
        act("app", "language", { language: ui.language });
    }
    draw();
}

// A phone that starts again speaks its own language until it is told the reader's.
function tellLanguage() {
    ui.tells = performance.now() + 5000;
}

// What belongs to a session is gone with it.
function forget() {
    clearPIN();
    ui.shown = null;
    ui.form = null;
    ui.question = null;
}

// ---------------------------------------------------------------------------------------------------------------- PIN entry

const pin = { digits: new Uint8Array(32), count: 0, place: "" };

function clearPIN() {
    pin.digits.fill(0);
    pin.count = 0;
}
function takePIN() {
    const taken = pin.digits.slice(0, pin.count);
    clearPIN();
    return taken;
}

let pad = null;

function press(digit) {
    if (!pad || !pad.isEnabled || pin.count === pin.digits.length || pin.count === pad.length) return;
    pin.digits[pin.count] = 48 + digit;
    pin.count += 1;
    if (pin.count === pad.length) submitPIN();
    else draw();
}
function removeDigit() {
    if (!pad || !pad.isEnabled || pin.count === 0) return;
    pin.count -= 1;
    pin.digits[pin.count] = 0;
    draw();
}
function submitPIN() {
    if (!pad || pin.count === 0) return;
    const { submit } = pad;
    submit(takePIN());
    draw();
}

// Ten keys and a dot for each digit. A touched key does not change, so that an onlooker does not see which one it was (P-107-04).
function pinPad(place, length, isEnabled, submit) {
    if (pin.place !== place) {
        clearPIN();
        pin.place = place;
    }
    pad = { length, isEnabled, submit };
    const spoken = length ? w("digitsEntered", pin.count) : pin.count ? w("filledIn") : w("empty");
    const dots = Array.from({ length: Math.max(length ?? 0, pin.count, 1) }, (_, index) =>
        h("span", { class: index < pin.count ? "dot full" : "dot" }));
    const key = (digit) => h("button", { type: "button", class: "key", disabled: !isEnabled, onclick: () => press(digit) }, digit);
    return h("div", { class: "pad", k: place },
        h("div", { class: "dots", role: "img", "aria-label": `${w("pin")}: ${spoken}` }, dots),
        h("div", { class: "keys" },
            [1, 2, 3, 4, 5, 6, 7, 8, 9].map(key),
            h("button", {
                type: "button", class: "key", disabled: !isEnabled, "aria-label": w("deleteDigit"), onclick: removeDigit,
            }, glyph("delete")),
            key(0),
            length
                ? h("span", { class: "key", "aria-hidden": "true" })
                : h("button", {
                    type: "button", class: "key", disabled: !isEnabled || pin.count === 0, "aria-label": w("unlock"),
                    onclick: submitPIN,
                }, glyph("enter"))));
}

// Asks for a PIN or a password; `submit` takes the bytes.
function secretField(place, fields, title, submit) {
    const kind = state.host?.secret ?? { kind: "pin", length: 6 };
    const isBusy = fields?.isBusy || fields?.loading || false;
    const heading = title && h("h3", { class: "ask" }, title);
    if (nameOf(kind) === "password") {
        return [heading, typedForm(place, w("password"), w("unlock"), !isBusy, submit, "password")];
    }
    return [heading, pinPad(place, kind.length ?? null, !isBusy, submit)];
}

// One field whose content leaves the page as bytes, and leaves the field before that.
function typedForm(place, label, send, isEnabled, submit, type = "text") {
    const id = `field-${place}`;
    const field = { id, type, autocomplete: "off", autocapitalize: "off", spellcheck: "false", disabled: !isEnabled, required: true };
    return h("form", {
        k: place, class: "typed", onsubmit: (event) => {
            event.preventDefault();
            const input = document.getElementById(id);
            const bytes = encoder.encode(input.value);
            input.value = "";
            if (bytes.length) submit(bytes);
        },
    }, h("label", { for: id }, label), h("input", field), wide(send, null, { type: "submit", disabled: !isEnabled }));
}

// A phrase that confirms: nothing secret, so it stays a text.
function phraseForm(place, label, send, phrase, isEnabled, submit) {
    const id = `field-${place}`;
    return h("form", {
        k: place, class: "typed", onsubmit: (event) => {
            event.preventDefault();
            const input = document.getElementById(id);
            const text = input.value;
            input.value = "";
            submit(text);
        },
    },
    h("label", { for: id }, label),
    h("input", { id, type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", disabled: !isEnabled }),
    wide(send, null, { type: "submit", class: "wide strong", disabled: !isEnabled }));
}

// ------------------------------------------------------------------------------------------------------------- small parts

const wide = (text, onclick, more) => h("button", { type: "button", class: "wide", onclick, ...more }, text);
const main = (text, onclick, more) => wide(text, onclick, { class: "wide main", ...more });

const GLYPHS = {
    delete: "M9 5h11v14H9l-6-7zM12 9.5l5 5M17 9.5l-5 5",
    enter: "M4 12h15M13 6l6 6-6 6",
    finger: "M5 11a7 7 0 0 1 14 0v3M8 18v-7a4 4 0 0 1 8 0v6M12 11v9M5 15v2M19 18v1",
    face: "M4 8V5a1 1 0 0 1 1-1h3M16 4h3a1 1 0 0 1 1 1v3M20 16v3a1 1 0 0 1-1 1h-3M8 20H5a1 1 0 0 1-1-1v-3M9 9v2M15 9v2M9 15a4 4 0 0 0 6 0",
    warn: "M12 4v11M12 19v.5",
    wallet: "M4 7h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM4 7l11-3v3M16 13h.5",
    shield: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
    lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
};
const glyph = (name) => s("svg", { viewBox: "0 0 24 24", class: "glyph", "aria-hidden": "true" }, s("path", { d: GLYPHS[name] }));

// The knob on the inside of a door: upright while it is locked.
function knob(isOpen) {
    return s("svg", { viewBox: "0 0 64 64", class: isOpen ? "knob turned" : "knob", "aria-hidden": "true" },
        s("circle", { cx: 32, cy: 32, r: 30, class: "plate" }),
        s("g", { class: "turn" },
            s("circle", { cx: 32, cy: 32, r: 13, class: "hub" }),
            s("rect", { x: 27.5, y: 9, width: 9, height: 46, rx: 4.5, class: "grip" })));
}

// An error of the library: what happened, what to do, and its code.
function notice(error) {
    if (!error) return null;
    return h("div", { class: "notice", k: `notice-${error.code}` }, glyph("warn"),
        h("div", {}, h("p", {}, error.message), error.hint && h("p", { class: "hint" }, error.hint),
            h("p", { class: "code" }, error.code)));
}
const textOf = (value) => (value === null || value === undefined ? "" : typeof value === "string" ? unbroken(value)
    : value.text ?? value.message ?? value.words ?? nameOf(value));

const title = (text) => h("h2", { id: "phone-screen", tabindex: "-1", class: "title", k: "title" }, text);

// -------------------------------------------------------------------------------------------------------------- the phone

function drawPhone() {
    pad = null;
    const screen = phoneScreen();
    const prompt = state?.world?.prompt;
    put("phone",
        h("h2", { class: "unseen", id: "phone-title" }, `${t("phone")} (${t("simulated")})`),
        h("div", { class: "bezel" },
            h("div", { class: "glass" },
                h("div", { class: "bar" }, h("span", { class: "clock" }, clockText()),
                    h("span", { class: "badge" }, t("simulated")),
                    h("span", { class: "sensor", "aria-hidden": "true" }, glyph(isFace() ? "face" : "finger"))),
                h("div", { class: "screen", inert: Boolean(prompt), "aria-busy": isBusy() ? "true" : null, ...screen.attributes },
                    screen.children),
                prompt && sheet(prompt))),
        h("div", { class: "below" }, phoneButtons()));
}

const isFace = () => /face/i.test(nameOf(state?.world?.sensor));
const isBusy = () => ui.busy > 0 || screens().unlock?.isBusy === true;

function clockText() {
    const clock = state?.world?.clock;
    const wall = typeof clock === "object" && clock !== null ? clock.wall ?? clock.now ?? clock.text : clock;
    if (typeof wall !== "number") return textOf(wall) || "--:--";
    return new Date(wall + performance.now() - arrived).toISOString().slice(11, 16);
}

function phoneScreen() {
    const named = (k, children, attributes) => ({ attributes: { k, ...attributes }, children });
    if (!state) return named("nothing", h("div", { class: "cover" }, knob(false)));
    if (!state.app?.isRunning) {
        return named("killed", [title(t("app")), h("p", { class: "calm" }, t("killed")),
            h("button", { type: "button", class: "icon", onclick: () => world("/start") }, knob(false), h("span", {}, t("start")))]);
    }
    if (state.world?.isLocked) {
        return named("device-locked", [h("p", { class: "large clock" }, clockText()), title(t("deviceLocked")),
            wide(t("unlockDevice"), () => world("unlock-device"))]);
    }
    const around = screens().account ?? screens().app ?? {};
    const { accountEntry, accountMove } = screens();
    switch (nameOf(around.screen)) {
    case "entry": return named(`entry-${accountEntry?.step}`, [knob(false), drawnByOffers("accountEntry", accountEntry ?? {})]);
    case "move": return named(`move-${accountMove?.step}`, [knob(false), drawnByOffers("accountMove", accountMove ?? {})]);
    case "onboarding": return named(`onboarding-${nameOf(screens().onboarding?.step)}`, onboarding());
    case "vault": break;
    case "failed": case "misconfigured": return named("failed", drawnByOffers(screens().account ? "account" : "app", around));
    default: return named("nothing", h("div", { class: "cover" }, knob(false)));
    }
    const { recover, unlock } = screens();
    if (!unlock) return named("nothing", h("div", { class: "cover" }, knob(false)));
    if (unlock.isCovered && !state.world?.prompt) {
        const isOpen = nameOf(unlock.screen) === "content";
        return named("cover", [h("div", { class: "cover" }, knob(isOpen), title(w("hidden")),
            isOpen && h("p", { class: "calm" }, t("notLocked")),
            wide(t("foreground"), () => leave("active")))]);
    }
    if (recover) return named(`recover-${recover.step}`, drawnByOffers("recover", recover));
    const name = nameOf(unlock.screen);
    if (name === "content") return named(`content-${ui.tab}-${ui.form ?? ""}-${ui.question ?? ""}`, content());
    return named(`lock-${name}-${nameOf(unlock.screen?.step ?? null)}`, [lockScreen(unlock, name), wayOut(unlock)]);
}

function leave(phase) {
    return act("app", "appBecame", { phase });
}

function phoneButtons() {
    if (!state?.app?.isRunning || state.world?.isLocked) return null;
    const unlock = screens().unlock;
    return [
        unlock && !unlock.isCovered && nameOf(unlock.screen) === "content"
            && h("button", { type: "button", k: "lock", onclick: () => act("unlock", "lock") }, glyph("lock"), t("lock")),
        unlock && !unlock.isCovered && h("button", { type: "button", k: "away", onclick: () => leave("background") }, t("background")),
    ];
}

// The system's own prompt. What the finger does is the world's: here are the answers that the prompt itself offers.
function sheet(prompt) {
    const isSystem = nameOf(prompt.mode) === "system";
    return h("div", { class: "sheet", role: "dialog", "aria-labelledby": "prompt-reason", k: "sheet" },
        h("span", { class: "sensor large" }, glyph(isFace() ? "face" : "finger")),
        h("h2", { id: "prompt-reason", tabindex: "-1" }, prompt.reason),
        h("p", { class: "calm" }, t(isFace() ? "waitsFace" : "waits")),
        isSystem && wide(t("passcode"), () => world("finger passcode")),
        prompt.fallback ? wide(prompt.fallback, () => world("finger fallback")) : null,
        wide(prompt.cancel || w("cancel"), () => world("finger cancel"), { class: "wide quiet" }),
        // The system's prompt has no such buttons: they are the finger.
        h("div", { class: "row touches" },
            wide(t(isFace() ? "matchFace" : "match"), () => world("finger match")),
            wide(t(isFace() ? "mismatchFace" : "mismatch"), () => world("finger mismatch"))));
}

// Before there is a vault.
function onboarding() {
    const fields = screens().onboarding ?? {};
    const step = nameOf(fields.step);
    const error = notice(fields.error ?? ui.refusal);
    const [first, ...texts] = fields.texts ?? [];
    const submit = (bytes) => act("onboarding", "submitSecret", {}, bytes);
    switch (step) {
    case "secret": case "repeated":
        return [title(first ?? ""), error, secretField(step, fields, w("pin"), submit), texts.map((text) => h("p", { class: "hint" }, text)),
            step === "secret" && state.app?.hasFormer && wide(t("former"), () => act("onboarding", "migrate"))];
    case "making": case "done":
        return [knob(false), title(first ?? t("making"))];
    default:
        return [knob(false), drawnByOffers("onboarding", fields)];
    }
}

function lockScreen(fields, name) {
    const error = notice(fields.error ?? ui.refusal ?? fields.notice);
    const isEnabled = !fields.isBusy;
    const submit = (bytes) => act("unlock", "submitSecret", {}, bytes);
    const ask = enterSecret();
    const biometry = nameOf(fields.biometry);
    const sensor = fields.biometry && biometry !== "none"
        && wide(w(/face/i.test(biometry) ? "unlockWithFaceID" : "unlockWithTouchID"), () => act("unlock", "unlockWithBiometric"),
            { disabled: !isEnabled, k: "sensor" });
    const recovery = typedForm("recovery", w("useRecoveryKey"), w("send"), isEnabled,
        (bytes) => act("unlock", "submitRecoveryKey", {}, bytes), "password");
    const reset = [h("p", { class: "hint" }, w("resetWarning")),
        phraseForm("reset", w("typeToConfirm", state.host?.phrases?.reset), w("resetWallet"), "", isEnabled,
            (typed) => act("unlock", "reset", { typed }))];
    const head = [knob(false), title(w("locked")), error, accountNotice()];
    switch (name) {
    case "opening": case "prompt":
        return [knob(false), title(w("locked"))];
    case "secret":
        return [...head, secretField("unlock", fields, ask, submit), fields.secretAdvice && h("p", { class: "hint" }, fields.secretAdvice),
            sensor];
    case "system":
        return [...head, main(w("unlock"), () => act("unlock", "unlockWithSystem"), { disabled: !isEnabled })];
    case "reopen":
        return [...head, recovery, reset];
    case "wait":
        return [...head, h("h3", { class: "ask" }, w("tryAgainIn", textOf(fields.screen.countdown ?? fields.screen.value))), sensor,
            recovery];
    case "recovery":
        return [...head, !error && notice(fields.screen.error), recovery];
    case "offer":
        return [knob(true), title(w("enableAgainQuestion")), error, h("p", {}, w("consent")),
            main(w("turnOn"), () => act("unlock", "answerOffer", { consent: true }), { disabled: !isEnabled }),
            wide(w("notNow"), () => act("unlock", "answerOffer", { consent: false }), { disabled: !isEnabled })];
    case "completion":
        return [knob(false), title(w("finishMoving")), error, completion(fields, isEnabled),
            wide(w("cancel"), () => act("unlock", "stopMoving"), { class: "wide quiet" })];
    case "olderCopy":
        return [knob(true), title(w("olderCopy")), error, olderCopy(fields, ask, isEnabled, submit),
            wide(w("onlyExport"), () => act("unlock", "onlyExport"), { class: "wide quiet" })];
    case "reset":
        return [...head, reset];
    case "erased":
        return [knob(false), title(w("erased")), error, main(w("newWallet"), () => act("unlock", "newWallet"))];
    default:
        return fields.offers?.length ? drawnByOffers("unlock", fields)
            : [...head, h("p", { class: "calm", "data-unknown": name }, name)];
    }
}

// What the service said of this phone, and what the owner may answer.
function accountNotice() {
    const { texts, offers } = screens().account ?? {};
    return [(texts ?? []).map((text) => h("p", { class: "hint" }, textOf(text))),
        (offers ?? []).map(({ action, label }) => wide(label, () => act(action.screen, action.name), { k: action.name }))];
}

// The way out for whoever can't open the vault.
function wayOut(unlock) {
    const offer = !screens().account && (unlock.offers ?? []).find(({ action }) => action.screen === "app" && action.name === "recover");
    return offer && wide(offer.label, () => act("app", "recover"), { class: "wide quiet", k: "way-out" });
}

// The steps that ask for the owner's PIN or password, and not for a key or a word.
const SECRETS = ["secret", "newSecret", "present", "new", "repeated"];

// A screen is drawn from what it says of itself: its texts, and what it offers. So is one that this page does not know by name.
function drawnByOffers(name, fields) {
    const offers = fields.offers ?? [];
    const step = nameOf(fields.step);
    // An account's screens say themselves which password they ask for.
    const asksSecret = SECRETS.includes(step) && !name.startsWith("account");
    const isEnabled = !fields.isBusy && !fields.loading;
    const typedOf = (action) => Object.keys(action).find((one) => action[one] === "");
    const phrase = offers.some(({ action }) => action.name === "acceptOlderCopy") ? state.host?.phrases?.olderCopy
        : state.host?.phrases?.reset;
    // What is shown belongs to its step.
    if (ui.shown && ui.shown.place !== `${name}-${step}`) ui.shown = null;
    const hints = (fields.texts ?? []).map((text) => textOf(text).replace("%@", phrase ?? ""));
    // The last text says what a field wants; without one the title does.
    const asksForText = offers.some(({ action: { screen, name: called, secret, ...values } }) =>
        (secret ? !asksSecret : typedOf(values)));
    const asked = (asksForText && hints.pop()) || fields.title || "";
    return [title(fields.title ?? split(name)), notice(fields.error ?? ui.refusal),
        hints.map((text) => h("p", { class: "hint" }, text)),
        fields.events && events(fields.events),
        step === "list" && h("ul", { class: "list", k: "devices" }, fields.devices.map((one) => h("li", { k: one.id },
            h("div", {}, h("strong", {}, one.title), one.texts.map((text) => h("p", { class: "hint" }, text))),
            (one.offers ?? []).map(({ action, label }) => h("button", {
                type: "button", k: action.name, onclick: () => act(action.screen, action.name, { device: one.id }),
            }, label))))),
        ui.shown && h("p", { class: "secret", k: "shown" }, ui.shown.text),
        offers.map(({ action, label }) => {
            const { screen, name: called, secret, ...values } = action;
            const place = `offer-${screen}-${called}`;
            const typed = typedOf(values);
            if (secret) {
                const submit = (bytes) => act(screen, called, values, bytes);
                return asksSecret ? secretField(place, fields, null, submit)
                    : typedForm(place, asked, label, isEnabled, submit, called === "answer" ? "text" : "password");
            }
            if (typed) {
                return phraseForm(place, asked, label, "", isEnabled, (text) => act(screen, called, { ...values, [typed]: text }));
            }
            const isEarly = called === "wordsWritten" && !ui.shown;
            return wide(label, () => give(`${name}-${step}`, screen, called, values),
                { k: place, disabled: isEarly || (!isEnabled && called !== "cancel") });
        })];
}

// Asks for what an offer names; a secret that comes back is shown until the step is another.
async function give(place, screen, called, values) {
    const answer = await act(screen, called, values);
    if (answer.secret) ui.shown = { place, text: answer.secret };
    draw();
}

// The device's trail as its owner reads it.
const events = (list) => h("ol", { class: "list events", k: "events" }, list.map((one, index) => h("li", { k: `event-${one.seq ?? `-${index}`}` },
    h("div", {}, h("strong", {}, one.title), one.details.map((text) => h("p", { class: "hint" }, text)),
        h("time", {}, new Date(one.at).toISOString().slice(0, 16).replace("T", " "))))));

function completion(fields, isEnabled) {
    switch (nameOf(fields.screen.step)) {
    case "secret":
        return secretField("completion-secret", fields, w("enterPIN"), (bytes) => act("unlock", "submitSecret", {}, bytes));
    case "newSecret":
        return secretField("completion-new", fields, w("choosePIN"), (bytes) => act("unlock", "chooseSecret", {}, bytes));
    case "walletName":
        return [h("p", {}, w("twoWallets")),
            phraseForm("completion-name", w("walletName"), w("send"), "", isEnabled, (name) => act("unlock", "keepBoth", { name }))];
    default:
        return [main(w("askAgain"), () => act("unlock", "askBiometricsAgain")), h("p", { class: "hint" }, w("doWithout")),
            wide(w("goOnWithout"), () => act("unlock", "goOnWithoutBiometrics"), { class: "wide strong" })];
    }
}

function olderCopy(fields, ask, isEnabled, submit) {
    if (nameOf(fields.screen.step) === "secret") return secretField("older-copy", fields, ask, submit);
    return [h("p", {}, w("olderCopyLoses")),
        phraseForm("older-copy-phrase", w("typeToConfirm", state.host?.phrases?.olderCopy), w("takeOlderCopy"),
            "", isEnabled, (typed) => act("unlock", "acceptOlderCopy", { typed }))];
}

// Behind the lock.
function content() {
    const error = notice(screens().unlock.error ?? ui.refusal);
    const tab = (name, symbol) => h("button", {
        type: "button", class: ui.tab === name ? "tab on" : "tab", "aria-current": ui.tab === name ? "page" : null,
        k: name, onclick: () => { ui.tab = name; ui.form = null; ui.question = null; ui.shown = null; clearPIN(); draw(); },
    }, glyph(symbol), t(name));
    return [
        h("div", { class: "pane", k: "pane" }, ui.tab === "wallets" ? walletPane(error) : securityPane(error)),
        h("nav", { class: "tabs", "aria-label": t("app"), k: "tabs" }, tab("wallets", "wallet"), tab("security", "shield")),
    ];
}

function goTo(form) {
    ui.form = form;
    ui.wasOn = Boolean(screens().system?.isOn);
    ui.refusal = null;
    clearPIN();
    draw();
}

// A list is read when its screen appears.
function openScreen(name) {
    goTo(name);
    if (name === "trail") act("trail", "read");
}

function walletPane(error) {
    const fields = screens().wallets ?? {};
    const { words } = screens();
    const list = fields.list ?? [];
    const back = wide(t("back"), () => goTo(null), { class: "wide quiet" });
    if (words) return drawnByOffers("words", words);
    if (ui.form === "import") {
        return [title(t("importOne")), error,
            h("label", { for: "import-name" }, t("name")),
            h("input", { id: "import-name", k: "import-name", type: "text", autocomplete: "off", value: "" }),
            typedForm("import-words", t("words"), t("add"), !fields.isBusy, async (bytes) => {
                const name = document.getElementById("import-name").value;
                const answer = await act("wallets", "import", { wallet: name }, bytes);
                if (!answer.error) goTo(null);
            }, "password"), back];
    }
    if (ui.form === "create") {
        return [title(t("create")), error, phraseForm("create", t("name"), t("add"), "", !fields.isBusy, async (name) => {
            const answer = await act("wallets", "create", { wallet: name });
            if (!answer.error) goTo(null);
        }), back];
    }
    return [title(t("wallets")), error,
        list.length === 0 && h("p", { class: "calm" }, t("noWallets")),
        h("ul", { class: "list" }, list.map((one) => h("li", { k: one.id },
            h("span", {}, glyph("wallet"), one.name),
            (one.offers ?? []).map(({ action, label }) => h("button", {
                type: "button", k: action.name, onclick: () => act(action.screen, action.name, { wallet: one.id }),
            }, label))))),
        wide(t("create"), () => goTo("create")), wide(t("importOne"), () => goTo("import"))];
}

// The screens that the page draws by itself.
const SCREENS = ["app", "account", "accountEntry", "accountMove", "delivery", "unlock", "onboarding", "recover", "wallets", "words", "biometrics", "system"];

// The transitions of seed 004, by the names that its document gives them.
const TRANSITIONS = [
    "enableKeychainVault", "enableSecureVaultWithBiometrics", "upgradeKeychainWithBiometrics", "downgradeBiometricsToKeychain",
    "disableBiometricsSecureVault", "lock", "unlockWithBiometrics",
];

function credentialsScreen(fields) {
    return [title(t("machine-credentials")), notice(ui.refusal), h("p", { class: "calm" }, split(nameOf(fields.state))),
        TRANSITIONS.map((name) => h("button", { type: "button", class: "item", k: name, onclick: () => act("credentials", name) },
            h("code", {}, name))),
        wide(t("back"), () => goTo(null), { class: "wide quiet" })];
}

function securityPane(error) {
    const biometrics = screens().biometrics ?? {};
    const system = screens().system ?? {};
    const back = (act) => wide(w("cancel"), act, { class: "wide quiet" });
    if (ui.form === "system") {
        if (ui.wasOn === Boolean(system.isOn)) return systemScreen(system);
        ui.form = null;
    }
    const { credentials } = state;
    if (ui.form === "credentials" && credentials) return credentialsScreen(credentials);
    const others = Object.keys(screens()).filter((name) => !SCREENS.includes(name) && screens()[name]?.title);
    if (others.includes(ui.form)) {
        return [drawnByOffers(ui.form, screens()[ui.form]), wide(t("back"), () => goTo(null), { class: "wide quiet" })];
    }
    if (ui.form === "reset") {
        return [title(w("resetWallet")), error, h("p", { class: "hint" }, w("resetWarning")),
            phraseForm("reset-settings", w("typeToConfirm", state.host?.phrases?.reset), w("resetWallet"), "", true,
                (typed) => act("unlock", "reset", { typed })), back(() => goTo(null))];
    }
    if (ui.question) {
        const isOn = ui.question === "turnOn";
        const isDone = isOn === Boolean(biometrics.enabled);
        if (!isDone) {
            return [title(w("biometricUnlock")), notice(biometrics.error),
                h("p", {}, isOn ? w("consent") : w("turnOffQuestion")),
                secretField(`biometrics-${ui.question}`, biometrics, enterSecret(),
                    (bytes) => act("biometrics", isOn ? "enable" : "disable", {}, bytes)),
                back(() => { ui.question = null; act("biometrics", "resetError"); })];
        }
        ui.question = null;
    }
    return [title(t("security")), error, biometrics.isShown && toggle(biometrics),
        others.map((name) => h("button", { type: "button", class: "item", k: name, onclick: () => openScreen(name) },
            h("span", {}, screens()[name].title), h("span", { "aria-hidden": "true" }, "›"))),
        system.isShown && h("button", { type: "button", class: "item", k: "system", onclick: () => goTo("system") },
            h("span", {}, w(system.isOn ? "disableSystemMode" : "enableSystemMode")), h("span", { "aria-hidden": "true" }, "›")),
        credentials && h("button", { type: "button", class: "item", onclick: () => goTo("credentials") },
            h("span", {}, t("machine-credentials")), h("span", { "aria-hidden": "true" }, "›")),
        h("button", { type: "button", class: "item", onclick: () => goTo("reset") },
            h("span", {}, w("resetWallet")), h("span", { "aria-hidden": "true" }, "›")),
        accountNotice(), screens().delivery?.isShown && delivery(screens().delivery)];
}

function toggle(fields) {
    const isOn = Boolean(fields.enabled);
    const isOff = fields.loading || (!isOn && fields.obstacle !== null && fields.obstacle !== undefined);
    return h("div", { class: "setting" },
        h("button", {
            type: "button", role: "switch", class: "switch", "aria-checked": String(isOn), disabled: isOff, onclick: () => {
                clearPIN();
                if (isOn && !fields.asksSecretToDisable) return act("biometrics", "disable");
                ui.question = isOn ? "turnOff" : "turnOn";
                return act("biometrics", "resetError");
            },
        }, h("span", {}, w("biometricUnlock")), h("span", { class: "track", "aria-hidden": "true" })),
        fields.obstacle && h("p", { class: "hint" }, textOf(fields.obstacle)), notice(fields.error));
}

// How far the account's log has what happened on this phone.
const delivery = (fields) => h("div", { class: "delivery", k: "delivery" }, notice(fields.error),
    fields.texts.map((text) => h("p", { class: "hint" }, textOf(text))),
    fields.offers.map(({ action, label }) => wide(label, () => act(action.screen, action.name), { k: action.name })));

function systemScreen(fields) {
    const submit = (bytes) => act("system", "submitSecret", {}, bytes);
    const cancel = wide(w("cancel"), async () => { await act("system", "cancel"); goTo(null); }, { class: "wide quiet" });
    const head = [title(w(fields.isOn ? "disableSystemMode" : "enableSystemMode")), notice(fields.error)];
    const step = nameOf(fields.step);
    switch (step) {
    case "warning": {
        const sentences = Array.isArray(fields.warning) ? fields.warning : fields.warning?.sentences ?? [];
        const obstacle = fields.obstacle;
        return [...head, h("ul", { class: "warning" }, sentences.map((one) => h("li", {}, textOf(one)))),
            obstacle && h("p", { class: "hint" }, textOf(obstacle)),
            obstacle && (obstacle.code === "ERR-TT-115" || nameOf(obstacle) === "recoveryKeyRequired")
                && wide(w("makeRecoveryKey"), () => act("system", "makeRecoveryKey")),
            main(w(fields.isOn ? "turnOff" : "turnOn"), () => act("system", "agree"),
                { disabled: Boolean(fields.loading || obstacle) }), cancel];
    }
    case "recoverySecret":
        return [...head, h("p", { class: "hint" }, w("recoveryKeyFirst")), secretField(step, fields, w("enterPIN"), submit), cancel];
    case "recoveryKey":
        return [...head, h("h3", { class: "ask" }, w("recoveryKey")), h("p", {}, w("writeItDown")),
            ui.shown ? h("p", { class: "secret" }, ui.shown.text)
                : wide(w("recoveryKey"), () => give("system", "system", "showRecoveryKey", {})),
            main(w("writtenDown"), () => { ui.shown = null; act("system", "recoveryKeyIsWritten"); }), cancel];
    case "recoveryKeyTyped":
        return [...head, typedForm(step, w("typeItBack"), w("send"), !fields.loading, submit), cancel];
    case "newSecret":
        return [...head, secretField(step, fields, w("choosePIN"), submit), cancel];
    case "repeated":
        return [...head, secretField(step, fields, w("repeatPIN"), submit), cancel];
    default:
        return [...head, secretField(step, fields, w("enterPIN"), submit), cancel];
    }
}

// --------------------------------------------------------------------------------------------------------------- the world

function drawWorld() {
    const prompt = state?.world?.prompt;
    const offered = state?.world?.words;
    const isThere = (word) => !offered || offered.includes(word) || word.startsWith("/");
    const isLocked = Boolean(state?.world?.isLocked);
    const isHidden = (word) => (word === "lock-device" && isLocked) || (word === "unlock-device" && !isLocked)
        || (word === "/kill" && state && !state.app?.isRunning)
        || (word.startsWith("service ") && (!screens().account || isServiceAway !== (word === "service back")))
        // An app that is gone left its wallet before this one came.
        || (word === "legacy wallet" && nameOf(screens().app?.screen) !== "onboarding")
        || (state?.world?.hasPasscode === true && word === "passcode-on")
        || (state?.world?.hasPasscode === false && word === "passcode-off")
        || (word === (isFace() ? "sensor face" : "sensor touch"));
    // Without a prompt it would answer the next one, before anyone sees that.
    const isIdle = (group) => group === "finger" && !prompt;
    const called = (name) => (isFace() && name.endsWith("match") ? t(`${name}Face`) : t(name));
    const facts = state?.world?.enrolled !== undefined && [
        t(state.world.hasPasscode ? "isPasscodeOn" : "isPasscodeOff"), t("enrolled").replace("%@", state.world.enrolled),
        state.world.isLockedOut && t("isLockedOut"), state.world.faults?.length > 0 && t("isFailing"),
    ].filter(Boolean).join(" · ");
    const command = (word) => (word.startsWith("/") ? "kill -9" : word === "service away" ? "pkill thumbturnd"
        : word === "service back" ? "thumbturnd serve"
        : word.startsWith("account ") ? `thumbturn ${word}` : `thumbturn simulate ${word}`);
    put("world", h("div", { class: "heading" }, h("h2", { id: "world-title" }, t("world")),
        h("p", { class: "about" }, ui.word ? h("code", { k: "word" }, `$ ${command(ui.word)}`) : t("worldHint"))),
        h("div", { class: "groups" }, WORLD.map(([group, things]) => h("div", {
            role: "group", "aria-label": t(group), class: group === "finger" && prompt ? "group waited" : "group", k: group,
        }, h("h3", {}, t(group)), things.filter(([, word]) => !isHidden(word)).map(([name, word]) => h("button", {
            type: "button", class: "word", k: word, disabled: !isThere(word) || isIdle(group), title: command(word), "data-word": word, onclick: () => {
                ui.word = word;
                world(word);
            },
        }, called(name)))))),
        screens().account && screens().unlock && otherDevice(),
        facts && h("p", { class: "about", k: "facts", role: "status" }, facts));
}

// What the account's owner does on another device: the password goes from here to it, as if it were typed there.
function otherDevice() {
    const take = (id) => {
        const field = document.getElementById(id);
        const text = field.value;
        field.value = "";
        return text;
    };
    const field = (id, label) => h("div", {}, h("label", { for: id }, label), h("input", { id, type: "password", autocomplete: "off" }));
    return h("form", {
        k: "other", class: "typed other", "aria-label": t("otherDevice"), onsubmit: async (event) => {
            event.preventDefault();
            const isChange = event.submitter?.name !== "revoke";
            const [present, next] = [take("other-present"), take("other-new")];
            ui.word = isChange ? "account password" : "account devices --revoke phone";
            ui.other = null;
            const bytes = encoder.encode(isChange ? `${present}\n${next}` : present);
            const answer = await act("elsewhere", isChange ? "changePassword" : "revoke", {}, bytes);
            // It is the other device that refuses, and not the phone.
            [ui.other, ui.refusal] = [answer.error ?? null, null];
            draw();
        },
    }, h("h3", {}, t("otherDevice")), notice(ui.other), field("other-present", t("presentPassword")), field("other-new", t("newPassword")),
    h("div", { class: "row" }, h("button", { type: "submit" }, t("changeElsewhere")),
        h("button", { type: "submit", name: "revoke" }, t("revokeElsewhere"))));
}

// -------------------------------------------------------------------------------------------------------------- the inside

function drawInside() {
    const inside = state?.inside ?? {};
    // Before there is a vault its boxes are there, and none is lit.
    const told = (inside.machines ?? []).map((one) => (state?.app?.isRunning ? one : { ...one, now: null }));
    const machines = [...Object.keys(MACHINES).filter((name) => name !== "credentials" && !told.some((one) => one.name === name))
        .map((name) => ({ name, states: Object.keys(MACHINES[name].places), now: null })), ...told];
    put("inside", h("div", { class: "heading" }, h("h2", { id: "inside-title" }, t("inside")),
        h("p", { class: "about" }, t(state && !state.app?.isRunning ? "killed" : "insideHint"))),
        h("div", { class: "cards" },
            machines.filter((one) => one.name === "unlock").map(machineCard),
            // What can open, what decides on the next try, what was tried; then the rest of it, and last who attacks it.
            h("div", { class: "stack", k: "left" }, slotsCard(inside.slots ?? []), ruleCard(inside.rule, inside.rules ?? []),
                ledgerCard(inside.ledger ?? {})),
            h("div", { class: "stack", k: "right" }, h("article", { class: "card few", k: "others", "data-look": "machines" },
                h("h3", {}, t("machines")), machines.filter((one) => one.name !== "unlock").map(machineBody)),
            trailCard(inside.trail ?? [])),
            thiefCard()));
}

const split = (name) => name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

// What a state of a machine is called; English has the name in the library's words.
const STATES = {
    fr: {
        locked: "verrouillé", promptingBiometrics: "invite biométrique", biometricsFailed: "biométrie échouée",
        requiresStrongFactor: "exige le code", verifyingStrongFactor: "vérifie le code", promptingSystem: "invite du système",
        closedUntilReopened: "fermé jusqu'à rouvrir", unlocked: "déverrouillé", disabled: "désactivée", enabling: "activation",
        enabled: "activée", revoked: "révoquée", legacy: "ancienne app", half: "à moitié", erasing: "effacement", full: "terminée",
        allowed: "permis", wait: "attente", suspended: "suspendus", unavailable: "indisponible", ready: "prêt",
        keychainSecured: "par le trousseau", biometricsSecured: "par la biométrie",
    },
};
// What a rule of the policy is called, in the same way.
const RULES = {
    fr: {
        storageUnavailable: "stockage illisible", resetPending: "effacement commencé", biometricsDisabled: "biométrie désactivée",
        ledgerUnreliable: "compteur peu fiable", policyEpochOld: "mot de passe changé", serverUnheard: "service trop longtemps muet",
        rebooted: "téléphone redémarré", clockIncoherent: "horloge incohérente", idle: "trop longtemps inactif",
        strongFactorAged: "code trop ancien", lockedOut: "capteur bloqué", tooManyMismatches: "trop d'échecs",
        biometricsChanged: "biométrie modifiée", reinstalled: "app réinstallée", biometricsUnavailable: "biométrie indisponible",
        eventsUndelivered: "événements en attente", cancelled: "invite fermée", fallbackChosen: "code choisi",
        unclassified: "non classé", unexpectedEvent: "événement inattendu", promptSystem: "invite du système",
        promptBiometrics: "invite biométrique",
    },
};
const ruleText = (name) => (french() && RULES.fr[name]) || split(name);

const stateText = (name) => (french() && STATES.fr[name]) || split(name);

function machineCard(machine) {
    return h("article", { class: "card across", k: `machine-${machine.name}`, "data-look": "unlock" }, machineBody(machine));
}

function machineBody(machine) {
    const now = nameOf(machine.now);
    const names = machine.states.map(nameOf);
    return h("div", { class: "machine", k: `machine-body-${machine.name}`, "data-machine": machine.name },
        h("h3", { class: "machine-name" }, t(`machine-${machine.name}`).replace("machine-", "")),
        diagram(machine.name, names, now),
        h("ol", { class: "states", "aria-label": `${t("diagram")} ${machine.name}` }, names.map((name) => h("li", {
            class: name === now ? "lit" : null, "aria-current": name === now ? "true" : null,
        }, stateText(name)))));
}

const SMALL = { width: 100, height: 30, across: 113, down: 42, below: 0 };

function diagram(machine, names, now) {
    const drawing = MACHINES[machine] ?? { places: {}, ways: [] };
    const size = drawing.box ?? SMALL;
    const rows = 1 + Math.max(-1, ...Object.values(drawing.places).map(([, y]) => y));
    const strays = names.filter((name) => !drawing.places[name]);
    const place = (name) => {
        const [x, y] = drawing.places[name] ?? [strays.indexOf(name) % 4, rows + Math.floor(strays.indexOf(name) / 4)];
        return { x: 3 + x * size.across, y: 3 + y * size.down };
    };
    const height = 6 + (rows + Math.ceil(strays.length / 4) - 1) * size.down + size.height + size.below;
    const before = ui.before[machine];
    const ways = drawing.ways.filter(([from, to]) => names.includes(from) && names.includes(to)).map(([from, to, how]) => s("path", {
        class: from === before && to === now ? "way lit" : "way", d: wayPath(place(from), place(to), size, how, height - 5),
        "marker-end": `url(#tip-${machine})`,
    }));
    // A way that would cross others is drawn only when it was taken.
    const isDrawn = drawing.ways.some(([from, to]) => from === before && to === now);
    if (before && before !== now && !isDrawn && drawing.places[before] && drawing.places[now]) {
        ways.push(s("path", { class: "way lit taken", d: wayPath(place(before), place(now), size, "over", height - 5),
            "marker-end": `url(#tip-${machine})` }));
    }
    const tip = s("marker", { id: `tip-${machine}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7,
        markerUnits: "userSpaceOnUse", orient: "auto" }, s("path", { class: "tip", d: "M0 0L8 4L0 8z" }));
    return s("svg", { class: "diagram", viewBox: `0 0 ${6 + 3 * size.across + size.width} ${height}`, "aria-hidden": "true" },
        tip, ways, names.map((name) => {
            const { x, y } = place(name);
            const lit = name === now ? "state lit" : name === before ? "state past" : "state";
            return s("g", { class: lit, "data-state": name, "data-unplaced": drawing.places[name] ? null : "true" },
                s("rect", { x, y, width: size.width, height: size.height, rx: 10 }),
                s("text", { x: x + size.width / 2, y: y + size.height / 2 + 4 }, stateText(name)));
        }));
}

// A way from box to box; `around` comes from above or below, `below` runs under all the others.
function wayPath(from, to, size, how, floor) {
    const [half, middle] = [size.width / 2, size.height / 2];
    if (how === "below") {
        return `M${from.x + half + 26} ${from.y + size.height} V${floor - 14} q0 14 -14 14 H${to.x + half + 14} q-14 0 -14 -14`
            + ` V${to.y + size.height}`;
    }
    const [x, y] = [from.x + size.width, from.y + middle];
    const down = to.y > from.y;
    if (how === "over") {
        // From the middle of one box to the edge of the other that is nearest.
        const [start, end] = [{ x: from.x + half, y }, { x: to.x + half, y: to.y + middle }];
        const [across, along] = [end.x - start.x, end.y - start.y];
        const part = Math.min(half / (Math.abs(across) || 1e-9), (middle + 3) / (Math.abs(along) || 1e-9));
        return `M${start.x + across * part} ${start.y + along * part} L${end.x - across * part} ${end.y - along * part}`;
    }
    if (how === "around") {
        return `M${x} ${y} H${to.x + half - 14} q14 0 14 ${down ? 14 : -14} V${down ? to.y : to.y + size.height}`;
    }
    if (from.x === to.x) return `M${from.x + half} ${down ? from.y + size.height : from.y} V${down ? to.y : to.y + size.height}`;
    const end = to.y + middle;
    const bend = Math.max(12, (to.x - x) / 2);
    return `M${x} ${y} C${x + bend} ${y} ${to.x - bend} ${end} ${to.x} ${end}`;
}

const SLOTS = ["localSecret", "biometric", "recovery", "system", "password"];
const SLOT_ALIASES = { local: "localSecret", pin: "localSecret", biometrics: "biometric", recoveryKey: "recovery" };

function slotsCard(slots) {
    const kinds = new Map(slots.map((slot) => [SLOT_ALIASES[nameOf(slot)] ?? nameOf(slot), slot]));
    const all = [...SLOTS, ...[...kinds.keys()].filter((kind) => !SLOTS.includes(kind))];
    return h("article", { class: "card", k: "slots", "data-look": "slots" }, h("h3", {}, t("slots")),
        h("p", { class: "about" }, t("slotsHint")),
        h("ul", { class: "boxes" }, all.map((kind) => box(kind, kinds.get(kind)))));
}

function box(kind, slot) {
    const isOpen = Boolean(slot?.isOpen);
    const how = !slot ? "absent" : slot.isRevoked ? "revoked" : isOpen ? "open" : "closed";
    return h("li", { class: `box ${how}`, k: kind, "data-slot": kind },
        s("svg", { viewBox: "0 -8 72 70", "aria-hidden": "true" },
            s("g", { class: "gold" }, s("circle", { cx: 29, cy: 21, r: 5 }), s("path", { d: "M34 21h13M43 21v5M47 21v4" })),
            s("rect", { class: "body", x: 8, y: 30, width: 56, height: 28, rx: 5 }),
            s("rect", { class: "lid", x: 5, y: 21, width: 62, height: 11, rx: 4 }),
            s("circle", { class: "hole", cx: 36, cy: 43, r: 3 })),
        h("strong", {}, slot?.text ?? split(kind)), h("span", {}, t(how)));
}

function ruleCard(rule, rules) {
    const name = nameOf(rule);
    const all = rules.map(nameOf);
    const isLit = (one) => (one === name ? "lit" : null);
    return h("article", { class: "card", k: "rule", "data-look": "rule" }, h("h3", {}, t("rule")),
        h("p", { class: "fired", k: `fired-${name}` }, rule?.text ?? (name ? ruleText(name) : t("none"))),
        all.length > 0 && h("details", { class: "order", k: "order" },
            h("summary", {}, h("code", {}, name), h("span", { class: "ticks", "aria-hidden": "true" },
                all.map((one) => h("span", { class: isLit(one) })))),
            h("ol", { class: "rules", "aria-label": t("order") }, all.map((one) => h("li", {
                class: isLit(one), "aria-current": one === name ? "true" : null,
            }, ruleText(one))))));
}

function ledgerCard(ledger) {
    const failures = ledger.failures ?? ledger.failedSecrets ?? 0;
    const limit = ledger.limit ?? 10;
    const decision = nameOf(ledger.decision) || (secondsLeft(ledger) > 0 ? "wait" : "allowed");
    const next = decision === "suspended" ? t("suspended")
        : decision === "wait" ? [t("nextIn") + " ", h("strong", { id: "countdown" }, span(secondsLeft(ledger)))] : t("nextNow");
    const prompts = ledger.failedPrompts ?? ledger.failedAttempts;
    return h("article", { class: "card", k: "ledger", "data-look": "ledger" }, h("h3", {}, t("ledger")),
        h("div", { class: "tally", role: "img", "aria-label": `${t("failures")}: ${failures} ${t("of")} ${limit}` },
            Array.from({ length: limit }, (_, index) => h("span", { class: index < failures ? "mark full" : "mark" }))),
        h("p", {}, `${t("failures")}: ${failures} ${t("of")} ${limit}`,
            prompts !== undefined && ` · ${t("prompts")}: ${prompts} ${t("of")} ${ledger.promptLimit ?? 3}`),
        h("p", { k: "next" }, next));
}

// The wait that the state tells, less what has passed since: the phone's clock goes on.
function secondsLeft(ledger) {
    const told = ledger.retryAfterSeconds ?? (ledger.waitMilliseconds ?? 0) / 1000;
    const passed = state?.world?.clock?.isStill ? 0 : (performance.now() - arrived) / 1000;
    return Math.max(0, Math.ceil(told - passed));
}

function span(seconds) {
    if (seconds < 100) return `${seconds} ${t("seconds")}`;
    if (seconds < 6000) return `${Math.ceil(seconds / 60)} ${t("minutes")}`;
    if (seconds < 360000) return `${Math.ceil(seconds / 3600)} ${t("hours")}`;
    return `${Math.round(seconds / 86400).toLocaleString(french() ? "fr" : "en")} ${t("days")}`;
}

function trailCard(trail) {
    const newest = [...trail].sort((a, b) => (b.seq ?? 1e9) - (a.seq ?? 1e9));
    return h("article", { class: "card", k: "trail", "data-look": "trail" }, h("h3", {}, t("trail")),
        newest.length === 0 ? h("p", { class: "calm" }, t("noTrail"))
            : h("ol", { class: "records", tabindex: "0", "aria-label": t("trail") }, newest.map(record)),
        verifier());
}

function record(one) {
    const when = typeof one.at === "number" ? new Date(one.at).toISOString().slice(11, 19) : "";
    return h("li", { k: `record-${one.seq ?? "open"}` }, h("details", {},
        h("summary", {}, h("code", {}, one.seq ?? "…"), h("span", {}, one.text ?? split(String(one.kind).replaceAll("_", " "))),
            h("time", {}, when)),
        h("dl", {}, Object.entries(one).filter(([, value]) => value !== null && value !== undefined)
            .map(([name, value]) => [h("dt", {}, name), h("dd", {}, typeof value === "object" ? JSON.stringify(value) : value)]))));
}

// Asks for the export that was made last, which the PIN makes; or has one verified that was changed by hand.
async function verify(text) {
    let told = text;
    if (told === undefined) told = (await post("/verify", {})).export;
    if (told === undefined) ui.verifier = { asks: true, error: null };
    else await judge(told, text === undefined);
    draw();
}

async function judge(text, isNew) {
    const { isWhole, seq, error } = await post("/verify", { export: text });
    // Only the verifier's own word is a verdict.
    ui.verifier = { isWhole, isJudged: typeof isWhole === "boolean", seq: seq ?? null, error: error ?? null };
    draw();
    if (isNew) document.getElementById("export").value = text;
}

async function makeExport(bytes) {
    const answer = await act("trail", "export", {}, bytes);
    ui.refusal = null;
    if (answer.export === undefined) ui.verifier = { asks: true, error: answer.error };
    else await judge(answer.export, true);
    draw();
}

// What `thumbturn demo` does with sed: a failure where there was a success, or the other way round.
function changeLetter() {
    const field = document.getElementById("export");
    if (!field) return;
    const swap = { AUTH_SUCCESS: "AUTH_FAILURE", AUTH_FAILURE: "AUTH_SUCCESS", VAULT_CREATED: "VAULT_CREATEd" };
    const found = Object.keys(swap).find((one) => field.value.includes(one));
    if (found) field.value = field.value.replace(found, swap[found]);
}

function verifier() {
    const seen = ui.verifier;
    if (seen?.asks) {
        return h("div", { class: "verifier", k: "verifier-asks" }, notice(seen.error),
            typedForm("trail", enterSecret(), t("verify"), true, makeExport, "password"));
    }
    const finding = seen && (!seen.isJudged ? t("notJudged") : seen.isWhole ? t("whole") : seen.seq !== null ? `${t("broken")} ${seen.seq}.` : `${t("brokenAny")}.`);
    return h("div", { class: "verifier", k: "verifier" },
        seen && h("p", { class: seen.isWhole ? "finding whole" : "finding broken", role: "status", k: "finding" },
            h("strong", {}, finding), seen.error?.message && ` ${seen.error.message}`, seen.error && h("code", {}, seen.error.code)),
        seen && h("label", { for: "export" }, t("exportLabel")),
        seen && h("textarea", { id: "export", rows: 7, spellcheck: "false", wrap: "off", k: "export" }),
        h("div", { class: "row" },
            h("button", { type: "button", k: "verify", onclick: () => verify() }, t("verify")),
            seen && h("button", { type: "button", k: "change", onclick: changeLetter }, t("change")),
            seen && h("button", { type: "button", k: "again", onclick: () => verify(document.getElementById("export").value) },
                t("again"))));
}

// The PINs go behind the line, as every secret does.
async function steal(pins) {
    const answer = await post("/thief", { secret: "taken" }, encoder.encode(pins.join("\n")));
    ui.thief = answer.tries ?? [];
    ui.refusal = answer.error ?? null;
    draw();
    return answer;
}

// Without the device's part no PIN is ever derived.
const isUntried = (row) => !row.withDevice && row.code === "ERR-TT-209";

function thiefCard() {
    const rows = ui.thief ?? [];
    // A try that the counter refuses costs nothing, and tells nothing of a million.
    const paced = rows.filter((row) => row.milliseconds > 0 && row.withDevice && (row.opened || row.code === "ERR-107-040"));
    const mean = paced.reduce((sum, row) => sum + row.milliseconds, 0) / (paced.length || 1);
    return h("article", { class: "card across", k: "thief", "data-look": "thief" }, h("h3", {}, t("thief")),
        h("p", { class: "about" }, t("thiefHint")),
        h("form", {
            class: "typed", k: "thief-form", onsubmit: (event) => {
                event.preventDefault();
                const field = document.getElementById("pins");
                const pins = field.value.split(/\s+/).filter((one) => one).slice(0, 8);
                field.value = "";
                if (pins.length) steal(pins);
            },
        }, h("label", { for: "pins" }, t("pins")),
        h("input", { id: "pins", type: "text", inputmode: "numeric", autocomplete: "off", spellcheck: "false" }),
        h("button", { type: "submit" }, t("tries"))),
        rows.length > 0 && h("table", { k: "tries" },
            h("thead", {}, h("tr", {}, [t("attempt"), t("where"), t("cost"), t("gave")].map((one) => h("th", { scope: "col" }, one)))),
            h("tbody", {}, rows.map((row, index) => h("tr", {},
                h("td", {}, row.number ?? index + 1), h("td", {}, row.withDevice ? t("onPhone") : t("onCopy")),
                h("td", {}, row.milliseconds === null || row.milliseconds === undefined || isUntried(row) ? "–" : `${row.milliseconds} ms`),
                h("td", {}, row.opened ? t("opened") : isUntried(row) ? t("notTried") : row.message ?? t("nothing"), row.code && [" ", h("code", {}, row.code)]))))),
        paced.length > 0 && mean > 0 && h("p", { class: "about" }, `${t("million")} ${span(Math.ceil(mean * 1000))}.`));
}

// ------------------------------------------------------------------------------------------------------------------ tours

async function loadTours() {
    try {
        const answer = await fetch("/tours.json", { credentials: "same-origin" });
        tours = answer.ok ? await answer.json() : { tours: [] };
    } catch {
        tours = { tours: [] };
    }
    enterTour();
}

function enterTour() {
    const name = new URLSearchParams(location.hash.slice(1)).get("tour");
    const found = tours?.tours.find((one) => one.name === name);
    if (ui.tour) ui.tour.isLeft = true;
    ui.tour = found ? { told: found, step: -1, isRunning: false, isPlaying: false, failed: null } : null;
    ui.look = null;
    draw();
    if (ui.tour) document.getElementById("tour-next")?.focus();
}

function bytesOf(name, tour) {
    if (name === "kept") return encoder.encode(tour.kept);
    if (Array.isArray(name)) return new Uint8Array(name.flatMap((one, index) => [...(index ? [10] : []), ...bytesOf(one, tour)]));
    const parts = tours.secrets[name];
    return encoder.encode(/^\d$/.test(parts[0]) ? parts.join("") : parts.join(" "));
}

// A model that works on one thing drops the next, as it does a second tap.
const isIdle = () => Object.keys(screens()).every((name) => {
    const fields = screens()[name];
    return !fields?.isBusy && !fields?.loading;
});

async function perform(order, tour) {
    if (tour.isLeft || tour.failed) return;
    if (order.part) {
        for (const one of tours.parts[order.part]) await perform(one, tour);
    } else if (order.until) {
        if (!(await until(order.until, tour))) tour.failed = order.until;
    } else if (order.touch) {
        // Where the system refuses at once, there is no prompt to touch.
        const isUnderWay = (tries) => tries < 8 || ui.busy > 0 || !isIdle();
        for (let tries = 0; tries < 200 && !state?.world?.prompt && isUnderWay(tries); tries += 1) await wait(25);
        if (state?.world?.prompt) await world(order.touch);
    } else if (order.world) {
        await world(order.world);
    } else if (order.act) {
        for (let tries = 0; tries < 400 && !isIdle() && state?.app?.isRunning; tries += 1) await wait(25);
        const { screen, name, ...values } = order.act;
        const answer = act(screen, name, values, order.secret ? bytesOf(order.secret, tour) : undefined);
        // A call that prompts is answered when the prompt is.
        if (order.later) await wait(60);
        else if (order.keep) tour.kept = (await answer).secret ?? "";
        else await answer;
    } else if (order.kill) {
        await world("/kill");
    } else if (order.start) {
        const [kind] = Object.keys(order.start);
        await (kind ? startNew(kind) : world("/start"));
    } else if (order.thief) {
        await steal(order.thief.map((name) => tours.secrets[name].join("")));
    } else if (order.verify) {
        if (order.verify === "changed") changeLetter();
        await verify(order.verify === "changed" ? document.getElementById("export")?.value : undefined);
    } else {
        if (order.tab) ui.tab = order.tab;
        if (order.form !== undefined) goTo(order.form);
        draw();
    }
}

const agrees = (path, expected) => {
    const value = at(path);
    return expected === null || typeof expected !== "object" ? (typeof expected === "string" ? nameOf(value) : value ?? null) === expected
        : expected.atLeast !== undefined ? value >= expected.atLeast : JSON.stringify(value) === JSON.stringify(expected);
};

async function until(expected, tour) {
    for (const end = performance.now() + 12000; performance.now() < end;) {
        if (tour.isLeft) return true;
        if (state && Object.entries(expected).every(([path, value]) => agrees(path, value))) return true;
        await wait(25);
    }
    return false;
}

async function step() {
    const tour = ui.tour;
    if (!tour || tour.isRunning || tour.failed || tour.step >= tour.told.steps.length - 1) return;
    tour.isRunning = true;
    tour.step += 1;
    const now = tour.told.steps[tour.step];
    ui.look = now.look ?? null;
    draw();
    for (const order of now.do ?? []) await perform(order, tour);
    if (!tour.failed && now.until && !(await until(now.until, tour))) tour.failed = now.until;
    tour.isRunning = false;
    if (tour.isLeft) return;
    draw();
    showLook();
}

async function playTour() {
    const tour = ui.tour;
    if (!tour) return;
    tour.isPlaying = !tour.isPlaying;
    draw();
    while (tour.isPlaying && !tour.isLeft && !tour.failed && tour.step < tour.told.steps.length - 1) {
        await step();
        await wait(3500);
    }
    tour.isPlaying = false;
    draw();
}

function showLook() {
    const found = ui.look && document.querySelector(`[data-look="${ui.look}"], #${ui.look}`);
    if (!found) return;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    found.scrollIntoView({ block: "nearest", behavior: isCalm ? "auto" : "smooth" });
}

function drawTour() {
    const section = document.getElementById("tour");
    const tour = ui.tour;
    section.hidden = !tour;
    document.body.classList.toggle("touring", Boolean(tour));
    if (!tour) return fill(section, []);
    const { told, step: index } = tour;
    const isLast = index >= told.steps.length - 1;
    section.setAttribute("aria-label", `${t("tours")}: ${ours(told.title)}`);
    section.dataset.tour = told.name;
    section.dataset.step = String(index + 1);
    section.dataset.steps = String(told.steps.length);
    section.dataset.running = String(tour.isRunning);
    section.dataset.failed = tour.failed ? JSON.stringify(tour.failed) : "";
    const sentence = index < 0 ? ours(told.about) : ours(told.steps[index].say);
    return fill(section, [
        h("div", { class: "told", k: "told" },
            h("p", { class: "where" }, ours(told.title), " · ", `${t("step")} ${Math.max(index + 1, 0)}/${told.steps.length}`),
            h("p", { class: "sentence", role: "status", "aria-live": "polite" }, sentence,
                tour.failed && h("strong", {}, ` ${t("stuck")}`))),
        h("div", { class: "row", k: "row" },
            !isLast && !tour.failed && h("button", {
                type: "button", id: "tour-next", k: "next", class: "main", "aria-disabled": tour.isRunning ? "true" : null, onclick: step,
            }, t("next")),
            !isLast && !tour.failed && h("button", { type: "button", k: "play", onclick: playTour }, t(tour.isPlaying ? "pause" : "play")),
            index >= 0 && h("button", { type: "button", k: "restart", onclick: enterTour }, t("restart")),
            h("button", { type: "button", k: "leave", onclick: () => { location.hash = ""; } }, t("leave"))),
    ]);
}

// -------------------------------------------------------------------------------------------------------------- the page

function drawHead() {
    const groups = ["documents", "attacks"];
    const language = (code, name) => h("button", {
        type: "button", lang: code, "aria-pressed": String(french() === (code === "fr")), title: name,
        onclick: () => {
            ui.language = code;
            act("app", "language", { language: code });
        },
    }, code.toUpperCase());
    put("head",
        h("div", { class: "brand", k: "brand" }, knob(nameOf(screens().unlock?.screen) === "content"),
            h("h1", {}, t("title")), h("p", { class: "badge" }, t("simulated")), h("p", { class: "about" }, t("protects"))),
        h("div", { class: "tools", k: "tools" },
            h("details", { class: "menu", k: "menu" }, h("summary", {}, t("tours")),
                h("div", { class: "drop" }, groups.map((group) => [h("h2", {}, t(group)),
                    h("ul", {}, (tours?.tours ?? []).filter((one) => one.group === group && (hasService || !one.needsService)).map((one) => h("li", {},
                        h("a", { href: `#tour=${one.name}`, onclick: closeMenu }, ours(one.title)))))]))),
            h("button", { type: "button", k: "new", onclick: () => startNew() }, t("newPhone")),
            h("button", { type: "button", k: "account", disabled: !hasService, onclick: () => startNew("account") }, t("withAccount")),
            h("div", { role: "group", "aria-label": t("language"), class: "languages", k: "languages" },
                language("en", "English"), language("fr", "Français"))),
        !hasService && h("p", { class: "about", k: "no-service" }, t("noService")),
        trouble && trouble !== "starting"
            && h("p", { class: "trouble", role: "alert", k: "trouble" }, t(trouble === "token" ? "noToken" : "noServer")));
}

function closeMenu() {
    document.querySelector("details.menu")?.removeAttribute("open");
}

function draw() {
    const focused = document.activeElement;
    // What had the focus may have gone with the screen before, and no new place been there yet.
    const wasInPhone = Boolean(focused?.closest?.("#phone")) || (ui.isInPhone && focused === document.body);
    ui.isInPhone = wasInPhone;
    const hadPrompt = Boolean(document.querySelector(".sheet"));
    document.documentElement.lang = french() ? "fr" : "en";
    document.title = `${t("title")}: ${t("simulated")}`;
    document.getElementById("skip-phone").textContent = t("skipPhone");
    if (trouble && trouble !== "starting") document.body.dataset.trouble = trouble;
    else delete document.body.dataset.trouble;
    document.body.dataset.revision = String(revision);
    drawHead();
    drawPhone();
    drawWorld();
    drawInside();
    drawTour();
    for (const place of document.querySelectorAll(".looked")) place.classList.remove("looked");
    if (ui.look) document.querySelector(`[data-look="${ui.look}"], #${ui.look}`)?.classList.add("looked");
    // Whoever was in the phone stays there when its screen changes, and is at the prompt when one comes.
    const hasPrompt = Boolean(document.querySelector(".sheet"));
    const isLost = document.activeElement === document.body || document.activeElement?.closest?.("[inert]");
    if (wasInPhone && (isLost || hasPrompt !== hadPrompt)) {
        document.getElementById(hasPrompt ? "prompt-reason" : "phone-screen")?.focus({ preventScroll: true });
    }
    say();
}

// Tells a screen reader what the phone shows now, once.
function say() {
    const prompt = state?.world?.prompt;
    const heading = document.getElementById("phone-screen")?.textContent ?? "";
    const error = document.querySelector("#phone .notice")?.textContent ?? "";
    const text = prompt ? `${prompt.reason}. ${t("waits")}` : `${heading}. ${error}`;
    const said = document.getElementById("said");
    if (said.textContent !== text) said.textContent = text;
}

document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeMenu();
    if (!pad || event.ctrlKey || event.metaKey || event.altKey) return;
    const focused = document.activeElement;
    if (focused !== document.body && !focused.closest("#phone")) return;
    if (focused.tagName === "INPUT" || focused.tagName === "TEXTAREA") return;
    if (/^[0-9]$/.test(event.key)) press(Number(event.key));
    else if (event.key === "Backspace") removeDigit();
    else if (event.key === "Enter" && focused.tagName !== "BUTTON") submitPIN();
    else return;
    event.preventDefault();
});

// What is on the screen of a page that nobody looks at is nobody's to read.
document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "hidden") return;
    clearPIN();
    ui.shown = null;
    draw();
});
document.addEventListener("click", (event) => {
    if (!event.target.closest("details.menu")) closeMenu();
});
addEventListener("hashchange", enterTour);
setInterval(() => {
    for (const clock of document.querySelectorAll(".clock")) if (clock.textContent !== clockText()) clock.textContent = clockText();
    const counted = document.getElementById("countdown");
    if (counted && state) counted.textContent = span(secondsLeft(state.inside?.ledger ?? {}));
}, 1000);

draw();
loadTours();
follow();
})();
