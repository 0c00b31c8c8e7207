// Previews and tests of an app with accounts need the account's screens too.
@_exported public import ThumbturnAccountUI
@_exported public import ThumbturnPreviews
