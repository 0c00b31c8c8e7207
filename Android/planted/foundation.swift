// expect: no such module 'Foundation'
import Foundation

func home() -> String { NSHomeDirectory() }
