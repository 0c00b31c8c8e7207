"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.readOffers = exports.readTexts = exports.readText = exports.readCount = exports.readBiometry = exports.useShown = void 0;
const react_1 = require("react");
const value_1 = require("./value");
const vault_1 = require("./vault");
/** Follows one screen: renders once for each change of it. */
function useShown(name) {
    const read = () => {
        const { fault, screens } = vault_1.vault.read();
        return fault ?? screens[name] ?? null;
    };
    return (0, react_1.useSyncExternalStore)(vault_1.vault.subscribe, read, read);
}
exports.useShown = useShown;
function readBiometry(name) {
    return name === 'faceID' ? 'FACE_ID' : name === 'touchID' ? 'TOUCH_ID' : 'NONE';
}
exports.readBiometry = readBiometry;
function readCount(count) {
    return typeof count === 'number' && count > 0 ? count : 0;
}
exports.readCount = readCount;
function readText(text) {
    return typeof text === 'string' ? text : undefined;
}
exports.readText = readText;
function readTexts(fields) {
    return Array.isArray(fields?.texts) ? fields?.texts : none;
}
exports.readTexts = readTexts;
function readOffers(fields) {
    if (!Array.isArray(fields?.offers))
        return none;
    return (fields?.offers).filter((offer) => (0, value_1.isObject)(offer) && (0, value_1.isObject)(offer.action) && typeof offer.label === 'string');
}
exports.readOffers = readOffers;
const none = [];
