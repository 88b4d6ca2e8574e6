"""The study `dispatch`: nodes with several resources and proactive dispatching."""
