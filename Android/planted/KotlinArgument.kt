// expect: type mismatch: inferred type is String but SecretBuffer
package org.thumbturn.reactnative

fun keep(session: org.thumbturn.device.ScriptSession) = session.keep("4711", "vault")
