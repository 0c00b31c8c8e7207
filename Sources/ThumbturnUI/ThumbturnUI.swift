// An app that shows a vault needs the vault too.
@_exported public import Thumbturn
