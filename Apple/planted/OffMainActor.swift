// expect: call to main actor-isolated
import SwiftUI
import ThumbturnUI

func cover() -> PrivacyCover { PrivacyCover() }
