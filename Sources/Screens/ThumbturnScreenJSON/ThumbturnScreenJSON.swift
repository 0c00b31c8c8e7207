// The screens as JSON, for hosts that are not Swift: a web page, Android, React Native.
//
// What a screen shows is written, and what it asks for is read; neither ever has a secret.
