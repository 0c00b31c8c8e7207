// expect: 'InlineArray' is only available in (iOS|macOS) 26\.0 or newer
func first(_ block: InlineArray<32, UInt8>) -> UInt8 { 0 }
