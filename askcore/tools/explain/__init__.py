"""Parts of `explain_change`: what is asked, what is read, what is restored, and how it is told."""
