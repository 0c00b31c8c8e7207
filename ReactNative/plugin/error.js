// @ts-check
'use strict';

/**
 * Why `expo prebuild` stopped: `code` is stable, the message says what to change.
 *
 * | code | means |
 * |-|-|
 * | `OPTION` | an option in app.json is unknown or has no sense |
 * | `CONFLICT` | app.json asks for something that a vault can't live with |
 * | `RULES_NOT_FOUND` | backup rules that the project names are in no file |
 * | `RULES_UNREADABLE` | such a file is not what Android reads |
 * | `RULES_INCLUDE_VAULT` | such a file asks for a backup of the vault itself |
 * | `UNDONE` | another plugin took away what this one wrote |
 */
class PluginError extends Error {
  /**
   * @param {"OPTION" | "CONFLICT" | "RULES_NOT_FOUND" | "RULES_UNREADABLE" | "RULES_INCLUDE_VAULT" | "UNDONE"} code
   * @param {string} message
   */
  constructor(code, message) {
    super(`Thumbturn's config plugin: ${message} (${code})`);
    this.name = 'ThumbturnPluginError';
    this.code = code;
  }
}

module.exports = { PluginError };
