// expect: property 'identifier' is not available due to missing import of defining module 'Foundation'
import SwiftUI

func language(_ values: EnvironmentValues) -> String { values.locale.identifier }
