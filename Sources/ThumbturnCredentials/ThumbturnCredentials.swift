// An app imports `ThumbturnCredentials` and has all it needs: the vault, the rules' values, and the device seam.
@_exported public import ThumbturnDevice
@_exported public import ThumbturnRules
