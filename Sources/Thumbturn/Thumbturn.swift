// An app imports `Thumbturn` and has all it needs: the vault, the rules' values, the device seam, and `SecretBytes`.
@_exported public import ThumbturnCrypto
@_exported public import ThumbturnDevice
@_exported public import ThumbturnRules
