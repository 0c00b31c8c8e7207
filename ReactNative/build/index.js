"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.VaultCover = exports.SecretText = exports.SecretField = exports.useAppUnlock = exports.SecretEntry = exports.GivenSecret = exports.useVault = exports.useScreen = exports.VaultError = exports.OwnerSecret = exports.withDerivedKey = exports.useBiometricSettings = exports.openVault = void 0;
const vault_1 = require("./vault");
/**
 * Opens the app's one vault: call it where the app starts. It asks nobody and derives nothing.
 *
 * Without the native part, as in Expo Go, it does nothing, and the hooks say so.
 *
 * @throws VaultError `ARGUMENT_WRONG` for options that are none.
 */
function openVault(options) {
    vault_1.vault.open(options);
}
exports.openVault = openVault;
var biometrics_1 = require("./biometrics");
Object.defineProperty(exports, "useBiometricSettings", { enumerable: true, get: function () { return biometrics_1.useBiometricSettings; } });
var derivedKey_1 = require("./derivedKey");
Object.defineProperty(exports, "withDerivedKey", { enumerable: true, get: function () { return derivedKey_1.withDerivedKey; } });
var ownerSecret_1 = require("./ownerSecret");
Object.defineProperty(exports, "OwnerSecret", { enumerable: true, get: function () { return ownerSecret_1.OwnerSecret; } });
var refusal_1 = require("./refusal");
Object.defineProperty(exports, "VaultError", { enumerable: true, get: function () { return refusal_1.VaultError; } });
var screen_1 = require("./screen");
Object.defineProperty(exports, "useScreen", { enumerable: true, get: function () { return screen_1.useScreen; } });
Object.defineProperty(exports, "useVault", { enumerable: true, get: function () { return screen_1.useVault; } });
var secret_1 = require("./secret");
Object.defineProperty(exports, "GivenSecret", { enumerable: true, get: function () { return secret_1.GivenSecret; } });
Object.defineProperty(exports, "SecretEntry", { enumerable: true, get: function () { return secret_1.SecretEntry; } });
var unlock_1 = require("./unlock");
Object.defineProperty(exports, "useAppUnlock", { enumerable: true, get: function () { return unlock_1.useAppUnlock; } });
var views_1 = require("./views");
Object.defineProperty(exports, "SecretField", { enumerable: true, get: function () { return views_1.SecretField; } });
Object.defineProperty(exports, "SecretText", { enumerable: true, get: function () { return views_1.SecretText; } });
Object.defineProperty(exports, "VaultCover", { enumerable: true, get: function () { return views_1.VaultCover; } });
