'use strict';
// What Expo gives the package: the native module that a test put there, and the name of a native view as a host component.
exports.requireOptionalNativeModule = (name) => (name === 'Thumbturn' && globalThis.theNative) || null;
exports.requireNativeView = (moduleName, viewName) => {
  if (moduleName !== 'Thumbturn') throw new Error('no such module');
  return viewName;
};
