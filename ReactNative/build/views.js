"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.VaultCover = exports.SecretText = exports.SecretField = void 0;
const react_1 = require("react");
const react_native_1 = require("react-native");
const native_1 = require("./native");
const secret_1 = require("./secret");
/**
 * Takes a PIN, a password or a key: native masks and keeps what is typed, and wipes it when the field goes or the app is left.
 *
 * Without the native part it shows nothing.
 */
function SecretField({ onEntry, kind = 'pin', use = 'vault', ...others }) {
    const latest = (0, react_1.useRef)({ onEntry, use });
    latest.current = { onEntry, use };
    const heard = (0, react_1.useRef)((event) => {
        const { handle, length } = event.nativeEvent;
        const isEntry = Number.isSafeInteger(handle) && Number.isSafeInteger(length) && length > 0;
        latest.current.onEntry(isEntry ? secret_1.SecretEntry.of(handle, length, latest.current.use) : null);
    });
    if (!(0, native_1.findNative)())
        return null;
    return (0, react_1.createElement)((0, native_1.findView)('ThumbturnSecretField'), { ...others, kind, use, onEntry: heard.current });
}
exports.SecretField = SecretField;
/**
 * Shows a secret that an action gave: natively, so that it never is in JavaScript's memory or in the tree of components.
 *
 * Once: native wipes it when the view goes or the app is left, and shows nothing while the screen is recorded. Without the native
 * part it shows nothing.
 */
function SecretText({ secret, ...others }) {
    if (!(0, native_1.findNative)())
        return null;
    return (0, react_1.createElement)((0, native_1.findView)('ThumbturnSecretText'), { ...others, number: (0, secret_1.numberOf)(secret) });
}
exports.SecretText = SecretText;
/**
 * Covers what is in it while the app is not in front, before the system takes its picture: put the app's content into it.
 *
 * Without the native part there is no vault, and so nothing to cover: it shows its children.
 */
function VaultCover({ children, ...others }) {
    if (!(0, native_1.findNative)())
        return (0, react_1.createElement)(react_native_1.View, others, children);
    return (0, react_1.createElement)((0, native_1.findView)('ThumbturnCover'), others, children);
}
exports.VaultCover = VaultCover;
