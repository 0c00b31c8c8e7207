'use strict';
exports.View = 'View';
