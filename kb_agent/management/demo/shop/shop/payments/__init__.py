"""Money coming in and going back."""
