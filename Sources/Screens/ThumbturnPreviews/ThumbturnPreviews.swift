// Previews and tests of an app need its screens, and a device that a test plays with.
@_exported public import ThumbturnSimulator
@_exported public import ThumbturnUI
