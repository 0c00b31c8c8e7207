// expect: type 'SecAccessControlCreateFlags' has no member 'biometryCurrent'
import Security

let flags = SecAccessControlCreateFlags.biometryCurrent
