// An app that shows an account's vault needs the vault, the account and the screens.
@_exported public import ThumbturnAccount
@_exported public import ThumbturnUI
