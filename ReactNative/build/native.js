"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.findView = exports.findNative = void 0;
const expo_1 = require("expo");
/** Looks for the native module, once; null in Expo Go, and in an app that was not built with it. */
function findNative() {
    if (found === undefined) {
        try {
            found = (0, expo_1.requireOptionalNativeModule)(moduleName);
        }
        catch {
            found = null;
        }
    }
    return found;
}
exports.findNative = findNative;
/** Returns the component of a native view; call it where the module is there. */
function findView(name) {
    const view = views.get(name) ?? (0, expo_1.requireNativeView)(moduleName, name);
    views.set(name, view);
    return view;
}
exports.findView = findView;
const moduleName = 'Thumbturn';
let found;
/** A view may be registered with React Native once. */
const views = new Map();
